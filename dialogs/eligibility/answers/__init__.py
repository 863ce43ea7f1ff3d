"""Read answers to questions about facts without a model: who, what, how much, or not known.

OfflineAnswerParser     an `AnswerParser` (dialogs/eligibility/roles.py)
"""

from .offline import OfflineAnswerParser

__all__ = ["OfflineAnswerParser"]
