"""`catalog_model`: what this server knows of a model beyond what comes with the program; edited by its staff, the same for all users."""

from django.core.validators import MinValueValidator
from django.db import models


class CatalogModel(models.Model):
    """One model, by the name that its provider gives it, in small letters. Sizes in tokens, prices in dollars per million tokens."""

    name = models.CharField(
        max_length=200,
        unique=True,
        help_text="as the provider calls it, without the provider and a date: `claude-sonnet-4`",
    )
    max_context_tokens = models.PositiveIntegerField("window", validators=[MinValueValidator(1)])
    max_output_tokens = models.PositiveIntegerField("longest reply", null=True, blank=True)
    input_cost_per_million = models.DecimalField("input price", max_digits=14, decimal_places=6, null=True, blank=True)
    output_cost_per_million = models.DecimalField(
        "output price", max_digits=14, decimal_places=6, null=True, blank=True
    )
    local = models.BooleanField(default=False, help_text="runs where the router runs, so that nothing leaves")
    tools = models.BooleanField(default=True)
    images = models.BooleanField(default=False)
    reasoning = models.BooleanField(default=False)
    json_output = models.BooleanField(default=False)
    source = models.CharField(max_length=300, blank=True, help_text="where the figures are from")
    as_of = models.DateField("as of", help_text="when the figures were right")

    class Meta:
        db_table = "catalog_model"
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=models.Q(max_context_tokens__gte=1), name="catalog_model_window"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        """Save it under its name in small letters, by which it is found."""
        self.name = self.name.strip().lower()
        super().save(*args, **kwargs)  # type: ignore[arg-type]
