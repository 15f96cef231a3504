"""The schema and the engine use the same words: a new event, question or verb needs its line in the schema."""

import inspect

import pytest

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.compiled import is_compiled
from rivalry_engine.ethnos import actions, events, question
from rivalry_engine.event import Event


def words(module, kind):
    """The public constants of ``module`` of the type ``kind``, by name."""
    return {name: value for name, value in vars(module).items() if name.isupper() and type(value) is kind}


@pytest.mark.skipif(is_compiled(), reason="compiled functions do not tell what they return")
def test_every_kind_of_event_is_in_the_schema():
    made = {
        name
        for name, function in inspect.getmembers(events, inspect.isfunction)
        if inspect.signature(function, eval_str=True).return_annotation is Event
    }

    assert made == {field.name for field in pb.Event.DESCRIPTOR.fields}


def test_every_fact_of_an_event_is_a_field():
    drawn = events.drawn(1, 9)
    begun = events.age_begun(1, 0, 0, deck=9, hands=[0])

    for event in (drawn, begun):
        facts = {*event.facts, *(name for secret in event.secrets.values() for name in secret)}
        message = pb.Event.DESCRIPTOR.fields_by_name[event.kind].message_type
        assert facts == {field.name for field in message.fields}


def test_every_question_is_in_the_schema():
    asked = {f"QUESTION_{word.upper()}" for word in words(question, str).values() if word}

    assert asked <= set(pb.Question.keys())
    assert set(pb.Question.keys()) - asked <= {"QUESTION_UNSPECIFIED", "QUESTION_TARGET"}


def test_every_verb_has_the_engines_number():
    verbs = {name.removeprefix("VERB_"): number for name, number in pb.Verb.items() if number}

    assert verbs == {name: value for name, value in words(actions, int).items() if name in verbs}
    assert len(verbs) == max(verbs.values())
