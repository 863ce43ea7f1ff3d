"""Decisions by conversation: programs decide, and the facts they miss become questions.

KeyTable, Key, Slot, SIZE        typed facts of a household and its members
Program, Programs, load_programs     checked programs, and a folder of them
evaluate, run                    an outcome whatever is unknown; an execution line by line
DecisionAgent                    asks, reads answers, decides
planner_names, get_planner       what is asked next: joint, joint-topics, published, …
"""

from ..keys import SIZE, Key, KeyTable, Known, Slot, Value, keys_of, read_keys
from ..roles import AnswerParser, Decider, Decision, Parsed, Question, QuestionWriter, Reason
from .agent import DecisionAgent, check_household
from .conversation_state import Ask
from .evaluation import Evaluation, Missing, Run, evaluate, run
from .joint_planner import JointPlanner
from .planning import Planner, PublishedPlanner, get_planner, planner_names
from .program import Program, Programs, load_programs
from .verbalization import OfflineQuestionWriter

__all__ = [
    "SIZE",
    "AnswerParser",
    "Ask",
    "Decider",
    "Decision",
    "DecisionAgent",
    "Evaluation",
    "JointPlanner",
    "Key",
    "KeyTable",
    "Known",
    "Missing",
    "OfflineQuestionWriter",
    "Parsed",
    "Planner",
    "Program",
    "Programs",
    "PublishedPlanner",
    "Question",
    "QuestionWriter",
    "Reason",
    "Run",
    "Slot",
    "Value",
    "check_household",
    "evaluate",
    "get_planner",
    "keys_of",
    "load_programs",
    "planner_names",
    "read_keys",
    "run",
]
