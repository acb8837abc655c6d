"""The addresses of the API."""

from django.urls import path, re_path

from selection.api.views import selections, status
from selection.api.views.unknown import UnknownView

app_name = "api"
urlpatterns = [
    path("status", status.StatusView.as_view(), name="status"),
    path("selections", selections.SelectionsView.as_view(), name="selections"),
    path("selections/sweep", selections.SweepView.as_view(), name="sweep"),
    path("selections/flips", selections.FlipsView.as_view(), name="flips"),
    path("selections/compare", selections.CompareView.as_view(), name="compare"),
    path("policies/validate", selections.PolicyView.as_view(), name="validate_policy"),
    re_path(r"^.*$", UnknownView.as_view(), name="unknown"),
]
