"""A widget whose settings are one frozen dataclass, each field a setting of the same name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, ClassVar

from rankwalk.messages import DEFAULT_LANGUAGE, Refused
from rankwalk.widgets.base import SettingError, Stage


class PlainStage(Stage):
    """A `Stage` over ``settings_type``, which checks its values when it is made.

    A subclass gives ``name``, ``settings_type``, a `Setting` for each field, `_picture`, `_text` and
    `_html`.

    Args:
        lang: ``"en"`` or ``"zh"``.
        settings: the fields of ``settings_type``, by name.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    settings_type: ClassVar[type]

    def __init__(self, lang: str = DEFAULT_LANGUAGE, **settings: Any) -> None:
        try:
            super().__init__(self._with(self.settings_type(), settings), lang)
        except Refused as refused:
            raise SettingError(refused, lang) from None

    def _with(self, settings: Any, changes: Mapping[str, Any]) -> Any:
        names = [field.name for field in fields(self.settings_type)]
        for name in changes:
            if name not in names:
                raise Refused(
                    "no_setting", field=str(name), found=repr(name), allowed=", ".join(names)
                )
        return replace(settings, **changes)

    def _values(self, settings: Any) -> dict[str, Any]:
        return {field.name: getattr(settings, field.name) for field in fields(settings)}

    def __repr__(self) -> str:
        """Return the call that makes this widget in its present state."""
        default = self._values(self.settings_type())
        changed = [
            f"{name}={value!r}"
            for name, value in self._values(self._settings).items()
            if value != default[name]
        ]
        lang = [f"lang={self.lang!r}"] if self.lang != DEFAULT_LANGUAGE else []
        return f"{type(self).__name__}({', '.join([*lang, *changed])})"
