"""Things and actions of a Chinese answer, by the verbs before and the particles behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

Phrase = tuple[Literal["thing", "action"], str, bool, bool, str]

_SENTENCE = re.compile(r"(?<=[。！？；;!?])")
_CLAUSE = re.compile(r"[，,。；;！？!?：:（）()“”\"]")
_WANTING = (
    "收集|采集|购买|买到|买|包括|服用|服下|乘坐|驾驶|获得|获取|取得|取回|得到|拿到|拿|取|找到|寻找|找|使用|利用|借助|(?<![利使作不专])用(?![途于来处])|佩戴|戴上|穿戴|"
    "穿上|穿(?![过越])|带上|带着|带|准备|放入|加入|倒入|撒入|学习|学会|出示|交给|换取|交换|换(?!乘)|需要(?!注意|不|引|到|去|前往|将|把|用|使用|通过|穿过|有|先|在|从)|喂|装备|选择|炼制|"
    "制作|制造|打造|联系|采购|搜集|领取|借|租|雇|递交|提交|写|挖到|挖(?!掘)|提供|联络"
)
_THING = re.compile(rf"(?:{_WANTING})(?:好|到|上|了|出|完)?(.+)")
_CUT = re.compile(
    r"(?:来|去|到|在|给|才|就|(?<![性技功])能(?![量源力])|可以|后|找|学习|即可|索取|处理|保护|引起|飞上|制定|授予|固定|追踪|之后|以后|然后|再|并|从而|进而|以便|以|让|使|将|把|的话|时|时候|"
    r"进行|进入|前往|帮|是|有|会|应该|必须|需要|交换|换|制作|制造|打开|通过|放|前|作为|完成)"
)
_SPLIT = re.compile(r"和|与|以及|及|、|或者|或|跟")
_MEASURE = re.compile(
    r"^(?:这|那|一|两|三|四|某|几)?(?:些|个|把|种|张|支|根|块|份|条|件|双|只|位|套|批|辆|瓶|本|类|名|家|艘|台)"
    r"|^(?:自己|你|我|他|它|你们|他们|手中|手上|身上|其中|所有|任意|任何)的?|^(?:一定|足够|充足|大量|少量)的?"
)
_VAGUE = re.compile(
    r"特定|合适|适合|适当|恰当|正确|某[个种些]|专门|专用|专属|特殊|特别|相应|对应|最[^的，。]{1,5}的|最新|最近的|"
    r"指定|所需|必要|喜欢|爱吃|克制|不同|一种|特制|高级别|足够"
)
_PRONOUN = re.compile(
    r"[她他它你我这那]|(?:材料|物品|东西|技能|方法|任务|问题|地方|时间|信息|步骤|注意)$"
)
_SHOWN_VAGUE = re.compile(
    r"^(?:特定|合适|适合|适当|恰当|正确|某[个种些]|专门|相应|对应|指定|所需|必要)的?|^最[^的]{1,5}的|^(?:一种|其他)"
)
_ACTION = re.compile(
    r"(?:必须|需要|应该|可以|只要)(?:先|再)*(?!需要|使用|用|去|到|找|买|拿|前往|是|有|在)"
    r"((?:(?!去|顺利|完成|任务|便|随|使用|有|是|的|自己|我)[一-鿿]){3,9})$"
)
_MODAL = re.compile(r"^(?:只|必须|需要|应该|可以|不|只能|能|要|还|也|会|目前|被|即可|直接|一定)+")
_ENOUGH = re.compile(r"足够.{0,12}(?:信息|细节)|(?:信息|细节).{0,6}(?:足够|够了|齐了)")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


def says_enough(text: str) -> bool:
    """Return whether an answer says that nothing is missing."""
    return bool(_ENOUGH.search(text))


def read(text: str) -> Iterator[Phrase]:
    """Yield the phrases of a text in order."""
    for sentence in sentences(text):
        for clause in _CLAUSE.split(sentence):
            yield from _things(clause, sentence)
            yield from _actions(clause, sentence)


def _things(clause: str, sentence: str) -> Iterator[Phrase]:
    rest = clause
    while match := _THING.search(rest):
        rest = match[1]
        for part in _SPLIT.split(rest):
            said = _CUT.split(part)[0]
            vague = bool(_VAGUE.search(part))
            named = _named(said)
            if (
                1 < len(named) <= 14
                and not _PRONOUN.match(named)
                and not re.match(rf"(?:{_WANTING})", named)
            ):
                yield "thing", named, vague, True, sentence
            if said != part:
                break


def _named(said: str) -> str:
    previous = ""
    while previous != said:
        previous = said
        said = _SHOWN_VAGUE.sub("", _MEASURE.sub("", said)).strip("的了 ")
    return said


def _actions(clause: str, sentence: str) -> Iterator[Phrase]:
    match = _ACTION.search(clause)
    action = _MODAL.sub("", match[1]) if match else ""
    if len(action) > 2 and not re.search(rf"(?:{_WANTING})", action[:2]):
        yield "action", action, False, False, sentence
