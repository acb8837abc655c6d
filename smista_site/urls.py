"""The addresses of the site; each face keeps its own."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path
from sesame.views import LoginView as LinkView

from selection.api.docs import docs_view, schema_view

urlpatterns = [
    path("sign-in/", LoginView.as_view(template_name="selection/sign_in/detail.html"), name="sign_in"),
    path("sign-in/link/", login_not_required(LinkView.as_view()), name="sign_in_link"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("admin/", admin.site.urls),
    path("api/docs/", docs_view, name="api_docs"),
    path("api/v1/openapi.json", schema_view, name="api_schema"),
    path("api/v1/", include("selection.api.urls")),
    path("", include("selection.pages.urls")),
]
