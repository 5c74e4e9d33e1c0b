//! Walking a directed graph whose edges are read step by step.

use std::collections::{BTreeMap, BTreeSet};

/// What can be reached from a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reachable<N> {
    /// With their distance from the start, nearest first. The start isn't among them.
    pub nodes: Vec<(N, u32)>,
    /// A path from a node to itself, which is its first and last element. `None` if there is no cycle.
    pub cycle: Option<Vec<N>>,
}

/// Breadth first. `next` returns the successors of each of the given nodes, in their order, and is asked once for each node.
pub fn reachable<N: Ord + Clone, E>(start: N, mut next: impl FnMut(&[N]) -> Result<Vec<Vec<N>>, E>) -> Result<Reachable<N>, E> {
    let (mut edges, mut nodes) = (BTreeMap::<N, Vec<N>>::new(), Vec::new());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut level = vec![start.clone()];
    let mut distance = 0;
    while !level.is_empty() {
        distance += 1;
        let successors = next(&level)?;
        let mut following = Vec::new();
        for (node, successors) in level.into_iter().zip(successors) {
            for successor in &successors {
                if seen.insert(successor.clone()) {
                    following.push(successor.clone());
                }
            }
            edges.insert(node, successors);
        }
        nodes.extend(following.iter().map(|node| (node.clone(), distance)));
        level = following;
    }
    Ok(Reachable { nodes, cycle: find_cycle(&start, &edges) })
}

/// Depth first, without recursion, since chains may be as long as there are nodes.
fn find_cycle<N: Ord + Clone>(start: &N, edges: &BTreeMap<N, Vec<N>>) -> Option<Vec<N>> {
    let (mut done, mut on_path) = (BTreeSet::new(), BTreeSet::from([start]));
    // The path, each node with the number of its successors that were visited.
    let mut path: Vec<(&N, usize)> = vec![(start, 0)];
    while let Some((node, visited)) = path.last_mut() {
        let Some(successor) = edges.get(*node).and_then(|successors| successors.get(*visited)) else {
            on_path.remove(*node);
            done.insert(*node);
            path.pop();
            continue;
        };
        *visited += 1;
        if on_path.contains(successor) {
            let cycle = path.iter().map(|(node, _)| *node).skip_while(|node| *node != successor).chain([successor]);
            return Some(cycle.cloned().collect());
        }
        if !done.contains(successor) {
            on_path.insert(successor);
            path.push((successor, 0));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_a(edges: &[(char, &str)]) -> Reachable<char> {
        let successors = |node: &char| edges.iter().find(|(from, _)| from == node).map_or("", |(_, to)| *to).chars().collect();
        let mut asked = BTreeSet::new();
        let next = |level: &[char]| {
            assert!(level.iter().all(|node| asked.insert(*node)), "{level:?} again");
            Ok::<_, ()>(level.iter().map(successors).collect())
        };
        reachable('a', next).unwrap()
    }

    #[test]
    fn nodes_are_found_once_at_their_shortest_distance() {
        let found = from_a(&[('a', "bc"), ('b', "d"), ('c', "e"), ('d', "e"), ('x', "a")]);
        assert_eq!(found, Reachable { nodes: vec![('b', 1), ('c', 1), ('d', 2), ('e', 2)], cycle: None });
        assert_eq!(from_a(&[]), Reachable { nodes: Vec::new(), cycle: None });
    }

    #[test]
    fn a_cycle_is_found_wherever_it_is() {
        assert_eq!(from_a(&[('a', "a")]), Reachable { nodes: Vec::new(), cycle: Some(vec!['a', 'a']) });
        assert_eq!(from_a(&[('a', "b"), ('b', "a")]).cycle, Some(vec!['a', 'b', 'a']));
        let behind = from_a(&[('a', "bc"), ('b', ""), ('c', "d"), ('d', "ec"), ('e', "")]);
        assert_eq!((behind.nodes.len(), behind.cycle), (4, Some(vec!['c', 'd', 'c'])));
        let diamond = from_a(&[('a', "bc"), ('b', "d"), ('c', "d")]);
        assert_eq!(diamond.cycle, None, "two ways to one node are no cycle");
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let next = |level: &[u32]| Ok::<_, ()>(level.iter().map(|node| if *node < 20_000 { vec![node + 1] } else { vec![] }).collect());
        assert_eq!(reachable(0, next).unwrap().nodes.last(), Some(&(20_000, 20_000)));
    }
}
