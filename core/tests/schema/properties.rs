//! Properties of forms: any schema of the supported kinds keeps the wide contract and gives back what was put in; no JSON
//! panics.

use askrelay_core::answer::{Answers, canonical};
use askrelay_core::ask::{Ask, Binding, Contract, Creator, Question};
use askrelay_core::schema::Form;
use askrelay_core::time::Span;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A property, a value of it, and the texts that a person gives for that value.
#[derive(Clone, Debug)]
struct Sample {
    schema: Value,
    value: Value,
    texts: Vec<String>,
}

fn sample(schema: Value, value: impl Into<Value>, text: impl Into<String>) -> Sample {
    Sample { schema, value: value.into(), texts: vec![text.into()] }
}

fn any_sample() -> impl Strategy<Value = Sample> {
    let words = "[a-zA-Z]{1,8}( [a-z]{1,5})?";
    let names = prop::collection::btree_set("[a-zA-Z]{1,6}", 1..120);
    prop_oneof![
        words.prop_map(|text| sample(json!({ "type": "string", "maxLength": 20 }), text.clone(), text)),
        any::<i32>().prop_map(|n| sample(
            json!({ "type": "integer", "minimum": i32::MIN }),
            n,
            n.to_string()
        )),
        (-1e6_f64..1e6).prop_map(|n| sample(json!({ "type": "number" }), n, n.to_string())),
        any::<bool>().prop_map(|yes| sample(
            json!({ "type": "boolean" }),
            yes,
            if yes { "Yes" } else { "No" }
        )),
        (names.clone(), any::<prop::sample::Index>()).prop_map(|(names, index)| {
            let names: Vec<String> = names.into_iter().collect();
            let one = names[index.index(names.len())].clone();
            sample(json!({ "enum": names }), one.clone(), one)
        }),
        (names.clone(), any::<prop::sample::Index>()).prop_map(|(names, index)| {
            let options: Vec<Value> =
                names.iter().map(|name| json!({ "const": name, "title": format!("The {name}") })).collect();
            let names: Vec<String> = names.into_iter().collect();
            let one = names[index.index(names.len())].clone();
            sample(json!({ "type": "string", "oneOf": options }), one.clone(), format!("The {one}"))
        }),
        (names, any::<u64>()).prop_map(|(names, taken)| {
            let names: Vec<String> = names.into_iter().take(60).collect();
            let on = |index: usize| index == 0 || taken.checked_shr(index as u32).unwrap_or(0) & 1 == 1;
            let some: Vec<String> = names
                .iter()
                .enumerate()
                .filter(|(index, _)| on(*index))
                .map(|(_, name)| name.clone())
                .collect();
            let schema =
                json!({ "type": "array", "items": { "enum": names }, "minItems": 1, "maxItems": some.len() });
            Sample { schema, value: some.clone().into(), texts: some }
        }),
    ]
}

fn ask(questions: Vec<Question>) -> Ask {
    let creator = Creator { person: None, token: None, binding: Binding::None, scopes: Default::default() };
    Ask {
        questions,
        wait: Span::seconds(60),
        origin: Default::default(),
        creator,
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: Default::default(),
        terminal_proof: None,
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(vec![
        "type",
        "properties",
        "required",
        "enum",
        "enumNames",
        "oneOf",
        "anyOf",
        "const",
        "title",
        "description",
        "items",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "default",
        "format",
        "x",
    ]);
    let word = prop::sample::select(vec![
        "object", "string", "integer", "number", "boolean", "array", "x", "", "email",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((keyword.clone(), inner), 0..6).prop_map(|pairs| {
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_put_in_comes_back_typed(
        samples in prop::collection::btree_map("\\PC{0,12}", (any_sample(), any::<bool>()), 1..8),
    ) {
        let properties: Map<String, Value> =
            samples.iter().map(|(name, (sample, _))| (name.clone(), sample.schema.clone())).collect();
        let required: Vec<&String> = samples.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name).collect();
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        let form = Form::of(&schema).map_err(|faults| TestCaseError::fail(format!("{faults:?}")))?;
        prop_assert_eq!(ask(form.questions.clone()).faults(&Contract::WIDE), vec![]);
        let in_order = required.iter().copied()
            .chain(samples.iter().filter(|(_, (_, required))| !required).map(|(name, _)| name));
        let answers: Answers = Answers(form.questions.iter().zip(in_order)
            .map(|(question, name)| (question.id.clone(), samples[name].0.texts.clone())).collect());
        let answers = canonical(&form.questions, &answers).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        let want: Map<String, Value> = samples.iter().map(|(name, (sample, _))| (name.clone(), sample.value.clone())).collect();
        let got = form.typed(&answers).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        for (name, value) in &want {
            let same = got[name] == *value || got[name].as_f64().is_some_and(|number| value.as_f64() == Some(number));
            prop_assert!(same, "{} is {} instead of {}", name, got[name], value);
        }
    }

    #[test]
    fn no_json_panics_and_every_form_keeps_the_contract(schema in any_json()) {
        if let Ok(form) = Form::of(&schema) {
            prop_assert_eq!(ask(form.questions).faults(&Contract::WIDE), vec![]);
        }
        let wrapped = json!({ "type": "object", "properties": { "x": schema, "y": { "type": "boolean" } }, "required": ["x"] });
        match Form::of(&wrapped) {
            Ok(form) => {
                prop_assert_eq!(ask(form.questions.clone()).faults(&Contract::WIDE), vec![]);
                let _ = form.typed(&Answers::default());
            }
            Err(faults) => prop_assert!(faults.iter().all(|fault| fault.path.starts_with("/properties/x"))),
        }
    }
}
