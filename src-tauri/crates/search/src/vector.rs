//! Vectors of texts.

/// Length of a vector.
pub const DIMENSIONS: usize = 384;

/// A vector in one byte for each dimension: the product of two of them is within half a percent of the exact one.
#[derive(Debug, Clone, PartialEq)]
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
        let product: i32 = self.values.iter().zip(other.values.iter()).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        #[expect(clippy::cast_precision_loss, reason = "at most 384 * 127 * 127, which is exact")]
        let product = product as f32;
        product * self.scale * other.scale
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
        scale.is_finite().then(|| Self { values: Box::new(values.map(u8::cast_signed)), scale })
    }
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
        assert_eq!(Vector::from_bytes(&left.to_bytes()), Some(left));
        assert_eq!(Vector::from_bytes(&[0; 387]), None);
        assert!(Vector::of(&[0.0; DIMENSIONS]).dot(&right).abs() < f32::EPSILON);
    }
}
