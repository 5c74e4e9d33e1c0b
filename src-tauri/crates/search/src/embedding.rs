//! Sentence embeddings by all-MiniLM-L6-v2.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;

use inklings_core::built;
use rten::{Model, NodeId, RunOptions, ThreadPool, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};
use rten_text::Tokenizer;

use crate::vector::{DIMENSIONS, Vector};
use crate::words::spelled_out;

/// Raised when vectors of the same text change.
pub(crate) const MODEL: &str = "all-MiniLM-L6-v2 int8, 1";
/// Files in the model's folder.
const MODEL_FILE: &str = "model.onnx";
const TOKENIZER_FILE: &str = "tokenizer.json";
/// Trained on pairs of requests and tools: `u`, then the rows of `P`, as little-endian floats.
const ADAPTER: &[u8] = include_bytes!("../data/query-adapter.f32");

const THREADS: usize = 2;
/// Longer messages are cut.
const QUERY_TOKENS: usize = 48;
/// What the model was trained with.
const DOCUMENT_TOKENS: usize = 256;
/// Blanks after a text, which aren't tokens. The tokenizer overestimates the offset of a word's last piece by 2 for each former one, and
/// panics if it is beyond the text; it splits words of at most 100 characters.
const OFFSET_PADDING: usize = 200;
/// Said before a description, it is closer to requests.
const REQUEST: &str = "Can you help me?";
const NAME_WEIGHT: f32 = 0.1;

type Exact = [f32; DIMENSIONS];

#[derive(Debug, thiserror::Error)]
pub enum EmbeddingError {
    #[error("can't read {path}: {error}", path = path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("{path} isn't the expected model: {why}", path = path.display())]
    Invalid { path: PathBuf, why: String },
    #[error("the embedding model failed: {0}")]
    Run(String),
}

/// The model's folder that `cargo xtask` made, in the target folder of this program. None in an installed app.
#[must_use]
pub fn find_built() -> Option<PathBuf> {
    built::find(&format!("embedding/{MODEL_FILE}"))?.parent().map(Path::to_path_buf)
}

/// The model. Calls block for some milliseconds.
pub struct EmbeddingModel {
    /// To the thread that has the model, since the tokenizer can't be shared. It ends with this.
    jobs: mpsc::Sender<Job>,
    adapter: Adapter,
}

struct Job {
    text: String,
    /// Maximum number of tokens.
    limit: usize,
    reply: mpsc::Sender<Result<Vec<Exact>, EmbeddingError>>,
}

/// The model with its tokenizer.
struct Network {
    model: Model,
    tokenizer: Tokenizer,
    inputs: [NodeId; 3],
    output: NodeId,
    threads: Arc<ThreadPool>,
}

/// Makes queries more alike to the descriptions of tools that serve them.
struct Adapter {
    /// Weight of tokens.
    attention: Box<Exact>,
    /// What is added, by dimension.
    shift: Box<[Exact]>,
}

impl EmbeddingModel {
    /// `folder` has [`MODEL_FILE`] and [`TOKENIZER_FILE`].
    pub fn load(folder: &Path) -> Result<Self, EmbeddingError> {
        let (jobs, received) = mpsc::channel::<Job>();
        let (loaded, is_loaded) = mpsc::channel();
        let folder = folder.to_owned();
        let run = move || match Network::load(&folder) {
            Ok(network) => {
                let _ = loaded.send(Ok(()));
                serve(received, |text, limit| network.states(text, limit));
            }
            Err(error) => drop(loaded.send(Err(error))),
        };
        thread::Builder::new().name("embedding".to_owned()).spawn(run).map_err(|error| EmbeddingError::Run(error.to_string()))?;
        is_loaded.recv().map_err(|_| ended())??;
        Ok(Self { jobs, adapter: Adapter::read() })
    }

    /// The vector of what a user asks for.
    pub fn query(&self, text: &str) -> Result<Vector, EmbeddingError> {
        let states = self.states(text, QUERY_TOKENS)?;
        Ok(Vector::of(&self.adapter.apply(&states)))
    }

    /// The vector of what a skill does.
    pub fn document(&self, name: &str, description: &str) -> Result<Vector, EmbeddingError> {
        let (name, description) = (spelled_out(name), spelled_out(description));
        let mut sum = [0.0; DIMENSIONS];
        let texts = [format!("{name}: {description}"), format!("{REQUEST} {description}"), description];
        #[expect(clippy::cast_precision_loss, reason = "3")]
        let share = 1.0 / texts.len() as f32;
        for text in texts {
            add(&mut sum, &self.mean(&text)?, share);
        }
        add(&mut sum, &self.mean(&name)?, NAME_WEIGHT);
        Ok(Vector::of(&sum))
    }

    fn mean(&self, text: &str) -> Result<Exact, EmbeddingError> {
        let states = self.states(text, DOCUMENT_TOKENS)?;
        let mut sum = [0.0; DIMENSIONS];
        for state in &states {
            add(&mut sum, state, 1.0);
        }
        Ok(normalized(sum))
    }

    fn states(&self, text: &str, limit: usize) -> Result<Vec<Exact>, EmbeddingError> {
        let (reply, states) = mpsc::channel();
        self.jobs.send(Job { text: text.to_owned(), limit, reply }).map_err(|_| ended())?;
        states.recv().map_err(|_| ended())?
    }
}

/// Answers until the model is dropped. A text on which a library panics costs only that text.
fn serve(jobs: mpsc::Receiver<Job>, states: impl Fn(&str, usize) -> Result<Vec<Exact>, EmbeddingError>) {
    for Job { text, limit, reply } in jobs {
        let answer = catch_unwind(AssertUnwindSafe(|| states(&text, limit)));
        // Nobody waits for it if the caller's thread ended.
        let _ = reply.send(answer.unwrap_or_else(|_| Err(EmbeddingError::Run("it panicked".to_owned()))));
    }
}

fn ended() -> EmbeddingError {
    EmbeddingError::Run("its thread ended".to_owned())
}

impl Network {
    fn load(folder: &Path) -> Result<Self, EmbeddingError> {
        let file = |name: &str| {
            let path = folder.join(name);
            let bytes = fs::read(&path).map_err(|error| EmbeddingError::File { path: path.clone(), error })?;
            Ok((path, bytes))
        };
        let invalid = |path: &Path, why: String| EmbeddingError::Invalid { path: path.to_owned(), why };
        let (path, bytes) = file(TOKENIZER_FILE)?;
        let text = String::from_utf8_lossy(&bytes);
        let tokenizer = Tokenizer::from_json(&text).map_err(|error| invalid(&path, error.to_string()))?;
        let (path, bytes) = file(MODEL_FILE)?;
        let model = Model::load(bytes).map_err(|error| invalid(&path, error.to_string()))?;
        let node = |name: &str| model.node_id(name).map_err(|error| invalid(&path, error.to_string()));
        let inputs = [node("input_ids")?, node("attention_mask")?, node("token_type_ids")?];
        let output = node("last_hidden_state")?;
        let threads = Arc::new(ThreadPool::with_num_threads(THREADS));
        Ok(Self { model, tokenizer, inputs, output, threads })
    }

    /// The last state of each token of a text.
    fn states(&self, text: &str, limit: usize) -> Result<Vec<Exact>, EmbeddingError> {
        let failed = |error: &dyn std::fmt::Display| EmbeddingError::Run(error.to_string());
        let padded = text.to_owned() + &" ".repeat(OFFSET_PADDING);
        let encoded = self.tokenizer.encode(&padded, None).map_err(|error| failed(&error))?;
        let mut ids = encoded.token_ids().iter().map(|id| i32::try_from(*id).unwrap_or_default()).collect::<Vec<_>>();
        // The last one ends the text.
        if let Some(end) = ids.last().copied().filter(|_| ids.len() > limit) {
            ids.truncate(limit - 1);
            ids.push(end);
        }
        let count = ids.len();
        let fill = |value: i32| NdTensor::from_data([1, count], vec![value; count]);
        let tensors = [NdTensor::from_data([1, count], ids), fill(1), fill(0)];
        let inputs: Vec<(NodeId, ValueOrView<'_>)> =
            self.inputs.iter().copied().zip(tensors.iter().map(|tensor| tensor.view().into())).collect();
        let options = RunOptions::default().with_thread_pool(Some(self.threads.clone()));
        let [output] = self.model.run_n::<1>(inputs, [self.output], Some(options)).map_err(|error| failed(&error))?;
        let output: Tensor<f32> = output.try_into().map_err(|error| failed(&error))?;
        let values: Vec<f32> = output.to_vec();
        let (states, _) = values.as_chunks::<DIMENSIONS>();
        if states.len() == count { Ok(states.to_vec()) } else { Err(EmbeddingError::Run("it has another size".to_owned())) }
    }
}

impl Adapter {
    fn read() -> Self {
        let (values, _) = ADAPTER.as_chunks::<4>();
        let values: Vec<f32> = values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let (rows, _) = values.as_chunks::<DIMENSIONS>();
        match rows.split_first() {
            Some((attention, shift)) => Self { attention: Box::new(*attention), shift: shift.into() },
            None => Self { attention: Box::new([0.0; DIMENSIONS]), shift: Box::default() },
        }
    }

    fn apply(&self, states: &[Exact]) -> Exact {
        let scores: Vec<f32> = states.iter().map(|state| product(state, &self.attention)).collect();
        let largest = scores.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = [0.0; DIMENSIONS];
        // Of a softmax; what all weights are divided by makes no difference once the sum is normalized.
        for (state, score) in states.iter().zip(&scores) {
            add(&mut sum, state, (score - largest).exp());
        }
        let plain = normalized(sum);
        let mut shifted = plain;
        for (value, row) in plain.iter().zip(&self.shift) {
            add(&mut shifted, row, *value);
        }
        normalized(shifted)
    }
}

fn add(to: &mut Exact, values: &Exact, weight: f32) {
    for (sum, value) in to.iter_mut().zip(values) {
        *sum += weight * value;
    }
}

fn product(a: &Exact, b: &Exact) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn normalized(mut values: Exact) -> Exact {
    let length = product(&values, &values).sqrt();
    if length > 0.0 {
        for value in &mut values {
            *value /= length;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_to_48_tokens_and_the_model_has_two_threads() {
        assert_eq!((QUERY_TOKENS, THREADS), (48, 2));
    }

    #[test]
    fn a_text_on_which_a_library_panics_costs_only_that_text() {
        let (jobs, received) = mpsc::channel();
        let answers = ["broken", "sound"].map(|text| {
            let (reply, answer) = mpsc::channel();
            jobs.send(Job { text: text.to_owned(), limit: QUERY_TOKENS, reply }).unwrap();
            answer
        });
        drop(jobs);
        serve(received, |text, _| if text == "sound" { Ok(vec![[0.0; DIMENSIONS]]) } else { panic!("as a library may") });
        let [broken, sound] = answers.map(|answer| answer.recv().unwrap());
        assert!(matches!(broken, Err(EmbeddingError::Run(_))));
        assert_eq!(sound.unwrap().len(), 1);
    }
}
