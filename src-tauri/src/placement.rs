//! Fits the stored geometry of a window to the present screens.

use serde::{Deserialize, Serialize};

/// The smallest usable window.
pub(crate) const MIN_SIZE: (f64, f64) = (720.0, 480.0);
const DEFAULT_SIZE: (f64, f64) = (1280.0, 800.0);
/// Offset of a new window from the last one.
const CASCADE_OFFSET: f64 = 24.0;
/// The part of the title bar that must be visible to drag a window.
const MIN_VISIBLE: (f64, f64) = (120.0, 24.0);

/// In logical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Geometry {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// None if the platform doesn't report it.
    pub(crate) at: Option<(f64, f64)>,
    pub(crate) maximized: bool,
}

impl Default for Geometry {
    fn default() -> Self {
        Self { width: DEFAULT_SIZE.0, height: DEFAULT_SIZE.1, at: None, maximized: false }
    }
}

/// The work area of a screen, in logical pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) at: (f64, f64),
    pub(crate) size: (f64, f64),
}

impl Area {
    /// Whether enough of a window's title bar is visible.
    fn shows_title_bar(&self, (x, y): (f64, f64), width: f64) -> bool {
        let (right, bottom) = (self.at.0 + self.size.0, self.at.1 + self.size.1);
        let seen = right.min(x + width) - self.at.0.max(x);
        seen >= MIN_VISIBLE.0 && y >= self.at.1 && y + MIN_VISIBLE.1 <= bottom
    }
}

impl Geometry {
    /// Fits the window to the screens: at least [`MIN_SIZE`], and without a position if its title bar wouldn't be visible.
    pub(crate) fn fitted(self, screens: &[Area]) -> Self {
        let at = self.at.filter(|at| screens.iter().any(|screen| screen.shows_title_bar(*at, self.width)));
        let home = at.and_then(|at| screens.iter().find(|screen| screen.shows_title_bar(at, self.width)));
        let room = home.or(screens.first()).map_or((f64::MAX, f64::MAX), |screen| screen.size);
        let fit = |wanted: f64, smallest: f64, default: f64, room: f64| {
            let wanted = if wanted.is_finite() && wanted > 0.0 { wanted } else { default };
            wanted.min(room).max(smallest)
        };
        Self {
            width: fit(self.width, MIN_SIZE.0, DEFAULT_SIZE.0, room.0),
            height: fit(self.height, MIN_SIZE.1, DEFAULT_SIZE.1, room.1),
            at,
            maximized: self.maximized,
        }
    }

    /// The geometry of a new window: the same size, with an offset.
    pub(crate) fn cascaded(self) -> Self {
        Self { at: self.at.map(|(x, y)| (x + CASCADE_OFFSET, y + CASCADE_OFFSET)), maximized: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Area = Area { at: (0.0, 28.0), size: (1920.0, 1052.0) };
    const RIGHT: Area = Area { at: (1920.0, 0.0), size: (1280.0, 1024.0) };

    fn window(width: f64, height: f64, x: f64, y: f64) -> Geometry {
        Geometry { width, height, at: Some((x, y)), maximized: false }
    }

    #[test]
    fn a_window_that_fits_stays() {
        for kept in [window(1000.0, 700.0, 100.0, 100.0), window(800.0, 600.0, 2000.0, 10.0), window(900.0, 600.0, -300.0, 40.0)] {
            assert_eq!(kept.fitted(&[LEFT, RIGHT]), kept);
        }
    }

    #[test]
    fn one_that_is_out_of_reach_is_put_by_the_system() {
        for lost in [
            window(1000.0, 700.0, 2000.0, 10.0),
            window(1000.0, 700.0, 100.0, -40.0),
            window(1000.0, 700.0, 100.0, 1075.0),
            window(1000.0, 700.0, -950.0, 40.0),
        ] {
            assert_eq!(lost.fitted(&[LEFT]).at, None, "{lost:?}");
        }
    }

    #[test]
    fn its_size_is_one_that_can_be_used() {
        let sizes = |geometry: Geometry| (geometry.width, geometry.height);
        assert_eq!(sizes(window(10.0, -5.0, 0.0, 30.0).fitted(&[LEFT])), (720.0, 800.0));
        assert_eq!(sizes(window(9000.0, 1e300, 0.0, 30.0).fitted(&[LEFT])), (1920.0, 1052.0));
        assert_eq!(sizes(window(1900.0, 1052.0, 1950.0, 0.0).fitted(&[LEFT, RIGHT])), (1280.0, 1024.0));
        let tiny = Area { at: (0.0, 0.0), size: (640.0, 400.0) };
        assert_eq!(sizes(Geometry::default().fitted(&[tiny])), MIN_SIZE);
        assert_eq!(Geometry::default().fitted(&[]), Geometry::default());
    }

    #[test]
    fn a_further_window_is_seen_beside_the_first() {
        assert_eq!(window(1000.0, 700.0, 10.0, 40.0).cascaded(), window(1000.0, 700.0, 34.0, 64.0));
        let filling = Geometry { maximized: true, ..Geometry::default() };
        assert!(!filling.cascaded().maximized);
    }
}
