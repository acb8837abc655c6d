"""The storage entities, one file each, mirrored one to one from "Storage entities" in domain.md."""

from selection.models.api_request import ApiRequest
from selection.models.api_token import ApiToken
from selection.models.audit_entry import AuditEntry, AuditKind
from selection.models.audit_tally import EVERYBODY, AuditTally, RecordedPath
from selection.models.audit_view import AuditView
from selection.models.base import Owner, key_of
from selection.models.catalog_model import CatalogModel
from selection.models.decrypt_pause import DecryptPause
from selection.models.expectation import Expectation
from selection.models.memory import (
    ContextMemory,
    ContextMemoryContent,
    RecalledUserMemory,
    RecalledUserMemoryContent,
    UserMemory,
    UserMemoryContent,
)
from selection.models.model_descriptor import ModelDescriptor
from selection.models.policy import NamedPolicy, PolicyStage, PolicyVersion, Stage
from selection.models.policy_draft import PolicyDraft
from selection.models.replay import (
    Replay,
    ReplayChange,
    ReplayPath,
    ReplaySlice,
    ReplayState,
    ReplayTurn,
    ReplayVerdict,
    SliceState,
)
from selection.models.run_in_flight import FlightState, RunInFlight
from selection.models.selection_run import Destination, SelectionRun
from selection.models.session import Session
from selection.models.session_context_reference import INDEXED_PATH, SessionContextReference
from selection.models.session_message import SessionMessage, SessionMessageContent
from selection.models.session_routing_decision import SessionRoutingDecision
from selection.models.session_run_input import SessionRunInput, SessionRunInputContent
from selection.models.trace_event import EventType, TraceEvent, TraceEventContent

__all__ = [
    "EVERYBODY",
    "INDEXED_PATH",
    "ApiRequest",
    "ApiToken",
    "AuditEntry",
    "AuditKind",
    "AuditTally",
    "AuditView",
    "CatalogModel",
    "ContextMemory",
    "ContextMemoryContent",
    "DecryptPause",
    "Destination",
    "EventType",
    "Expectation",
    "FlightState",
    "ModelDescriptor",
    "NamedPolicy",
    "Owner",
    "PolicyDraft",
    "PolicyStage",
    "PolicyVersion",
    "RecalledUserMemory",
    "RecalledUserMemoryContent",
    "RecordedPath",
    "Replay",
    "ReplayChange",
    "ReplayPath",
    "ReplaySlice",
    "ReplayState",
    "ReplayTurn",
    "ReplayVerdict",
    "RunInFlight",
    "SelectionRun",
    "Session",
    "SessionContextReference",
    "SessionMessage",
    "SessionMessageContent",
    "SessionRoutingDecision",
    "SessionRunInput",
    "SessionRunInputContent",
    "SliceState",
    "Stage",
    "TraceEvent",
    "TraceEventContent",
    "UserMemory",
    "UserMemoryContent",
    "key_of",
]
