//! What the reader does with the questions of a story, and how a question stands at a stop.

use super::model::{Guess, Lab, Model};
use crate::teach::{Prediction, PredictionAnswer};
use crate::text::Text;

/// The prediction as it stands.
#[derive(Clone, Debug, PartialEq)]
pub enum PredictionScene {
    /// Asked now.
    Asked { question: Text, answers: Vec<PredictionAnswer> },
    /// Answered; the run has not come to it yet.
    Waiting { answer: Text },
    /// Not answered, and seen.
    Told { right: Text, because: Text },
    /// Answered and seen.
    Graded { good: bool, answer: Text, right: Text, because: Text },
}

/// The reader answers the question that is asked here, or skips it.
pub(super) fn guess(lab: &mut Lab, guess: Guess) {
    if let Some(asked) = lab.run.landmarks().predictions.iter().find(|p| p.stop == lab.stop) {
        lab.guesses.insert(asked.stop, guess);
    }
}

/// The prediction that is still to be asked when the reader goes on from `stop`.
pub(super) fn asked_at(lab: &Lab, predictions: bool, stop: u32) -> Option<&Prediction> {
    let open = |p: &&Prediction| predictions && p.stop == stop && !lab.guesses.contains_key(&stop);
    lab.run.landmarks().predictions.iter().find(open)
}

/// Who goes on without an answer has skipped the question.
pub(super) fn skip(lab: &mut Lab, predictions: bool) {
    if asked_at(lab, predictions, lab.stop).is_some() {
        lab.guesses.insert(lab.stop, Guess::Skipped);
    }
}

/// The predictions that the reader has neither answered nor skipped, nor seen the answer of.
pub(super) fn open_predictions(lab: &Lab) -> impl Iterator<Item = &Prediction> {
    let predictions = lab.run.landmarks().predictions.iter();
    predictions.filter(|prediction| lab.stop < prediction.seen && !lab.guesses.contains_key(&prediction.stop))
}

/// The latest prediction that the reader has come to, as it stands.
pub(super) fn prediction(model: &Model) -> Option<PredictionScene> {
    let lab = &model.lab;
    let predictions = lab.run.landmarks().predictions.iter().rev().filter(|_| model.settings.predictions);
    predictions
        .filter(|prediction| prediction.stop <= lab.stop)
        .find_map(|asked| prediction_scene(lab, asked))
}

fn prediction_scene(lab: &Lab, prediction: &Prediction) -> Option<PredictionScene> {
    let text_of = |word: &str| prediction.answer(word).map(|answer| answer.text.clone());
    let right = text_of(prediction.right)?;
    let because = || prediction.because.clone();
    let seen = lab.stop >= prediction.seen;
    match lab.guesses.get(&prediction.stop) {
        None if lab.stop == prediction.stop => Some(PredictionScene::Asked {
            question: prediction.question.clone(),
            answers: prediction.answers.clone(),
        }),
        Some(Guess::Skipped) if seen => Some(PredictionScene::Told { right, because: because() }),
        None | Some(Guess::Skipped) => None,
        Some(Guess::Made(word)) if seen => Some(PredictionScene::Graded {
            good: *word == prediction.right,
            answer: text_of(word)?,
            right,
            because: because(),
        }),
        Some(Guess::Made(word)) => Some(PredictionScene::Waiting { answer: text_of(word)? }),
    }
}
