"""The catalog of this server: what comes with the program, and in its place what staff entered or brought as a list."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from django.db import transaction

from selection.documents.catalog import Catalog, built_in, read_proxy_list
from selection.engine.codes import Auth, Capability
from selection.engine.values import ModelDescriptor
from selection.models import CatalogModel

_FLAGS: Final = {
    "tools": Capability.TOOLS,
    "images": Capability.IMAGES,
    "reasoning": Capability.REASONING,
    "json_output": Capability.JSON_OUTPUT,
}
_FIGURES: Final = ("max_context_tokens", "max_output_tokens")
_PRICES: Final = ("input_cost_per_million", "output_cost_per_million")


@dataclass(frozen=True, slots=True)
class ImportedList:
    """What a list changed: models that are new, models whose figures are others now, models as they were, and entries that could not be used."""

    added: int
    changed: int
    same: int
    left_out: int


def catalog_here() -> Catalog:
    """Give the catalog."""
    rows = {row.name: _descriptor(row) for row in CatalogModel.objects.all()}
    return built_in().with_models(rows, f"{built_in().told} and as this server's staff keeps it")


def _descriptor(row: CatalogModel) -> ModelDescriptor:
    can = [
        Capability.STREAMING,
        Capability.SYSTEM_PROMPT,
        *(code for name, code in _FLAGS.items() if getattr(row, name)),
    ]
    return ModelDescriptor(
        provider="",
        model=row.name,
        local=row.local,
        auth=Auth.NONE if row.local else Auth.API_KEY,
        capabilities=MappingProxyType(dict.fromkeys(can, True)),
        max_context_tokens=row.max_context_tokens,
        max_output_tokens=row.max_output_tokens,
        input_cost_per_million=_written(row.input_cost_per_million),
        output_cost_per_million=_written(row.output_cost_per_million),
    )


def _written(price: Decimal | None) -> str | None:
    return None if price is None else f"{price.normalize():f}"


@transaction.atomic
def import_models(data: bytes, source: str, as_of: date) -> ImportedList:
    """Bring a list in the format of LLM proxies into the catalog: all of it or nothing. Raises `InvalidDocument` where it is none."""
    read = read_proxy_list(data)
    held = {row.name: row for row in CatalogModel.objects.all()}
    added, changed, same = [], [], 0
    for name, model in read.models.items():
        row = held.get(name)
        fresh = _row(name, model, source, as_of)
        if row is None:
            added.append(fresh)
        elif _figures(row) == _figures(fresh):
            same += 1
        else:
            fresh.pk = row.pk
            changed.append(fresh)
    CatalogModel.objects.bulk_create(added)
    CatalogModel.objects.bulk_update(changed, [*_FIGURES, *_PRICES, "local", *_FLAGS, "source", "as_of"])
    return ImportedList(len(added), len(changed), same, read.left_out)


def _row(name: str, model: ModelDescriptor, source: str, as_of: date) -> CatalogModel:
    prices = {price: None if (told := getattr(model, price)) is None else Decimal(told) for price in _PRICES}
    flags = {flag: bool(model.capabilities.get(code)) for flag, code in _FLAGS.items()}
    figures = {figure: getattr(model, figure) for figure in _FIGURES}
    return CatalogModel(name=name, local=model.local, source=source, as_of=as_of, **figures, **prices, **flags)


def _figures(row: CatalogModel) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in (*_FIGURES, *_PRICES, "local", *_FLAGS))
