//! Vectors of texts.

use serde::{Deserialize, Serialize};

/// Length of a vector.
pub const DIMENSIONS: usize = 384;

/// A vector in one byte for each dimension: the product of two of them is within half a percent of the exact one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<u8>", try_from = "Vec<u8>")]
pub struct Vector {
    values: Box<[i8; DIMENSIONS]>,
    scale: f32,
}

impl Vector {
    pub(crate) fn of(exact: &[f32; DIMENSIONS]) -> Self {
        let largest = exact.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
        let mut values = Box::new([0; DIMENSIONS]);
        for (byte, value) in values.iter_mut().zip(exact) {
            #[expect(clippy::cast_possible_truncation, reason = "at most 127")]
            {
                *byte = (value / scale).round() as i8;
            }
        }
        Self { values, scale }
    }

    #[must_use]
    pub fn dot(&self, other: &Self) -> f32 {
        product(&self.values, &other.values) * self.scale * other.scale
    }

    /// The scale as four bytes, then the values.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.scale.to_le_bytes().into_iter().chain(self.values.iter().map(|value| value.cast_unsigned())).collect()
    }

    /// `None` if the bytes aren't those of a vector.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, rest) = bytes.split_first_chunk::<4>()?;
        let scale = f32::from_le_bytes(*scale);
        let values: &[u8; DIMENSIONS] = rest.try_into().ok()?;
        (scale.is_finite() && scale > 0.0).then(|| Self { values: Box::new(values.map(u8::cast_signed)), scale })
    }
}

impl From<Vector> for Vec<u8> {
    fn from(vector: Vector) -> Self {
        vector.to_bytes()
    }
}

impl TryFrom<Vec<u8>> for Vector {
    type Error = &'static str;

    fn try_from(bytes: Vec<u8>) -> Result<Self, Self::Error> {
        Self::from_bytes(&bytes).ok_or("not a vector")
    }
}

/// Vectors by slot, one after the other: a search reads them all.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct VectorTable {
    #[serde(with = "signed")]
    values: Vec<i8>,
    /// 0 where there is no vector.
    scales: Vec<f32>,
}

impl VectorTable {
    pub(crate) fn set(&mut self, slot: usize, vector: Option<&Vector>) {
        if slot >= self.scales.len() {
            self.scales.resize(slot + 1, 0.0);
            self.values.resize((slot + 1) * DIMENSIONS, 0);
        }
        self.scales[slot] = vector.map_or(0.0, |vector| vector.scale);
        if let Some(vector) = vector {
            self.values[slot * DIMENSIONS..][..DIMENSIONS].copy_from_slice(&*vector.values);
        }
    }

    /// Whether it has the parts of so many slots.
    pub(crate) fn is_of(&self, slots: usize) -> bool {
        self.scales.len() == slots && self.values.len() == slots * DIMENSIONS && self.scales.iter().all(|scale| scale.is_finite())
    }

    /// The product of each slot's vector with `query`, in order. `None` where there is no vector.
    pub(crate) fn dots(&self, query: &Vector) -> impl Iterator<Item = Option<f32>> {
        self.values.as_chunks::<DIMENSIONS>().0.iter().zip(&self.scales).map(|(values, scale)| {
            // Vectors have no scale of 0.
            (*scale > 0.0).then(|| product(values, &query.values) * scale * query.scale)
        })
    }
}

/// Bytes in one piece: a serializer would take them one by one.
mod signed {
    use std::fmt;

    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(values: &[i8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&values.iter().map(|value| value.cast_unsigned()).collect::<Vec<u8>>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i8>, D::Error> {
        deserializer.deserialize_bytes(Signed)
    }

    struct Signed;

    impl Visitor<'_> for Signed {
        type Value = Vec<i8>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
            Ok(bytes.iter().map(|value| value.cast_signed()).collect())
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 384 * 127 * 127, which is exact")]
fn product(a: &[i8; DIMENSIONS], b: &[i8; DIMENSIONS]) -> f32 {
    a.iter().zip(b).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum::<i32>() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_the_product() {
        let exact = |seed: f32| -> [f32; DIMENSIONS] {
            std::array::from_fn(|n| ((f32::from(u16::try_from(n).unwrap()) + seed) * 0.7).sin() / 13.0)
        };
        let (a, b) = (exact(1.0), exact(2.5));
        let product: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let (left, right) = (Vector::of(&a), Vector::of(&b));
        assert!((left.dot(&right) - product).abs() < 0.005, "{} {product}", left.dot(&right));
        assert_eq!(Vector::from_bytes(&left.to_bytes()).as_ref(), Some(&left));
        assert_eq!(Vector::from_bytes(&[0; 387]), None);
        assert!(Vector::of(&[0.0; DIMENSIONS]).dot(&right).abs() < f32::EPSILON);
        let mut table = VectorTable::default();
        table.set(2, Some(&left));
        table.set(0, Some(&right));
        table.set(0, None);
        assert_eq!(table.dots(&right).collect::<Vec<_>>(), [None, None, Some(left.dot(&right))]);
    }
}
