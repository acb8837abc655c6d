"""The measured turn as a session bundle, so that it can be stored."""

from benchmarks.workload import turn
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle


def bundle_of(size: int) -> SessionBundle:
    """Give a session whose one turn has `size` candidates."""
    made = turn(size)
    messages = made.recalled.messages
    return SessionBundle(
        messages=tuple(
            BundleMessage(id=m.id, role=m.role, content=m.content, path=m.path, provider=m.provider, model=m.model)
            for m in messages
        ),
        context_memory=tuple(BundleMemory(id=m.id, content=m.content) for m in made.recalled.context_memory),
        models=made.models,
        turns=(
            BundleTurn(
                after_message=messages[-1].id,
                input=made.input,
                workspace=made.workspace,
                attachments=made.attachments,
                policy=made.policy,
                credentials=made.credentials,
            ),
        ),
    )
