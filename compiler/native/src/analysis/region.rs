//! Regions: a schedule of the blocks of a function in which many trials can execute them together.
//!
//! Each trial of a group is at one block. The parts of a region run one after the other. A block
//! moves the trials that are at it to its successors; a loop repeats while any trial is at its
//! header. So when a region ends, all of its trials have left it, and no block ran more often for a
//! trial than on the trial's own path.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function};
use cranelift_entity::SecondaryMap;
use dicec_runtime::rng::lanes::Layout;

/// A sequence of parts that trials execute together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The layout of the dice of its own blocks, in the order of the parts. They are drawn together
    /// for all trials of the group, at the beginning of a trial or of an iteration. `None` if its
    /// blocks roll no dice.
    pub layout: Option<Layout>,
    /// A topological order, except for back edges to a loop's header.
    pub parts: Vec<Part>,
}

/// A part of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A block of the region itself.
    Block(Block),
    /// A loop, header first. It iterates until no trial is at its header.
    Loop(Region),
}

impl Part {
    /// Its first block.
    pub fn first(&self) -> Option<Block> {
        match self {
            Part::Block(block) => Some(*block),
            Part::Loop(inner) => inner.header(),
        }
    }

    /// Calls `f` with each of its blocks.
    pub fn for_each_block(&self, f: &mut impl FnMut(Block)) {
        match self {
            Part::Block(block) => f(*block),
            Part::Loop(inner) => inner.for_each_block(f),
        }
    }
}

impl Region {
    /// The regions of a function, without layouts; `None` if a loop has several entries.
    pub fn of(function: &Function) -> Option<Self> {
        let graph = ControlFlow::new(function);
        let loops = Loops::new(&graph)?;
        Some(loops.region(&graph, None))
    }

    /// Its own blocks, in order: not those of loops.
    pub fn blocks(&self) -> impl Iterator<Item = Block> {
        self.parts.iter().filter_map(|part| match part {
            Part::Block(block) => Some(*block),
            Part::Loop(_) => None,
        })
    }

    /// The loops in it, in order.
    pub fn loops(&self) -> impl Iterator<Item = &Region> {
        self.parts.iter().filter_map(|part| match part {
            Part::Block(_) => None,
            Part::Loop(inner) => Some(inner),
        })
    }

    /// Calls `f` with each of its blocks, and with those of the loops in it.
    pub fn for_each_block(&self, f: &mut impl FnMut(Block)) {
        for part in &self.parts {
            part.for_each_block(f);
        }
    }

    /// A loop's header; the entry of the function for the outermost region. No region is empty, and
    /// no loop begins at the entry.
    pub fn header(&self) -> Option<Block> {
        self.blocks().next()
    }

    /// Whether it contains no loop and is not one.
    pub fn is_loop_free(&self) -> bool {
        self.loops().next().is_none()
    }
}

/// The innermost loop of each block, by its header; a header belongs to its own loop.
struct Loops {
    around: SecondaryMap<Block, Option<Block>>,
    is_header: SecondaryMap<Block, bool>,
}

impl Loops {
    fn new(graph: &ControlFlow) -> Option<Self> {
        let mut loops = Self {
            around: SecondaryMap::new(),
            is_header: SecondaryMap::new(),
        };
        let order = graph.reverse_postorder();
        let mut position: SecondaryMap<Block, usize> = SecondaryMap::new();
        for (number, &block) in order.iter().enumerate() {
            position[block] = number;
        }
        // Inner headers come later, so that each block keeps the innermost loop that claims it
        // first.
        for &header in order.iter().rev() {
            let backs = graph.predecessors(header).iter().copied();
            let backs: Vec<Block> = backs
                .filter(|&back| position[back] >= position[header])
                .collect();
            if backs.iter().any(|&back| !graph.dominates(header, back)) {
                return None;
            }
            if !backs.is_empty() {
                loops.is_header[header] = true;
                loops.claim(graph, header, backs);
            }
        }
        Some(loops)
    }

    /// Adds the blocks that lead back to `header` through `pending` to its loop.
    fn claim(&mut self, graph: &ControlFlow, header: Block, mut pending: Vec<Block>) {
        while let Some(block) = pending.pop() {
            // The outermost of the loops that are known around the block.
            let mut outermost = block;
            while let Some(outer) = self.around[outermost] {
                outermost = outer;
            }
            if outermost == header {
                continue;
            }
            self.around[outermost] = Some(header);
            pending.extend(graph.predecessors(outermost));
        }
    }

    /// The region of the loop with this header; `None` for the blocks outside of all loops.
    fn region(&self, graph: &ControlFlow, header: Option<Block>) -> Region {
        let mut parts = Vec::new();
        for &block in graph.reverse_postorder() {
            if Some(block) == header || self.around[block] == header && !self.is_header[block] {
                parts.push(Part::Block(block));
            } else if self.around[block] == header {
                parts.push(Part::Loop(self.region(graph, Some(block))));
            }
        }
        Region {
            layout: None,
            parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Module, verify};
    use crate::ir_text::parse;

    /// A function whose blocks lead to these blocks; a block that leads nowhere returns.
    fn module(blocks: &[&[u32]]) -> Module {
        let mut text =
            "function i64\n\nblock0:\n    v0 = bconst true\n    v1 = iconst 7\n".to_owned();
        for (number, next) in blocks.iter().enumerate() {
            if number > 0 {
                text += &format!("\nblock{number}:\n");
            }
            text += &match *next {
                [] => "    return v1\n".to_owned(),
                [next] => format!("    jump block{next}\n"),
                [then, otherwise, ..] => format!("    branch v0, block{then}, block{otherwise}\n"),
            };
        }
        let module = parse(&text).expect("IR");
        assert_eq!(verify(&module), Ok(()), "{text}");
        module
    }

    /// The numbers of the blocks in the order of the parts, loops in parentheses.
    fn shown(region: &Region) -> String {
        let parts = region.parts.iter().map(|part| match part {
            Part::Block(block) => block.as_u32().to_string(),
            Part::Loop(inner) => format!("({})", shown(inner)),
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    fn shape(blocks: &[&[u32]]) -> Option<String> {
        Region::of(module(blocks).trial()).map(|region| shown(&region))
    }

    #[test]
    fn blocks_come_after_what_leads_to_them() {
        assert_eq!(shape(&[&[]]).as_deref(), Some("0"));
        // A diamond, one with a side that is left early, and one in one.
        assert_eq!(
            shape(&[&[1, 2], &[3], &[3], &[]]).as_deref(),
            Some("0 1 2 3")
        );
        assert_eq!(
            shape(&[&[2, 3], &[], &[1, 3], &[1]]).as_deref(),
            Some("0 2 3 1")
        );
        assert_eq!(
            shape(&[&[1, 4], &[2, 3], &[5], &[5], &[6], &[6], &[]]).as_deref(),
            Some("0 1 2 3 5 4 6")
        );
    }

    #[test]
    fn loops_are_regions_of_their_own() {
        // Left at the header; left at the end, of one block only; one after the other.
        assert_eq!(
            shape(&[&[1], &[2, 3], &[1], &[]]).as_deref(),
            Some("0 (1 2) 3")
        );
        assert_eq!(shape(&[&[1], &[1, 2], &[]]).as_deref(), Some("0 (1) 2"));
        assert_eq!(
            shape(&[&[1], &[1, 2], &[3], &[2, 4], &[]]).as_deref(),
            Some("0 (1) (2 3) 4")
        );
        // What follows a loop may come before its body in the order of the graph.
        assert_eq!(
            shape(&[&[1], &[3, 2], &[1], &[4], &[]]).as_deref(),
            Some("0 (1 2) 3 4")
        );
    }

    #[test]
    fn loops_have_loops() {
        // One in one, with an edge from the inner to the outer header.
        assert_eq!(
            shape(&[&[1], &[2, 5], &[3, 4], &[2, 1], &[1], &[]]).as_deref(),
            Some("0 (1 (2 3) 4) 5")
        );
        // Two in one.
        assert_eq!(
            shape(&[&[1], &[2, 4], &[2, 3], &[3, 1], &[]]).as_deref(),
            Some("0 (1 (2) (3)) 4")
        );
        // Three, and from the innermost out of all of them, to two blocks.
        assert_eq!(
            shape(&[&[1], &[2, 6], &[3, 1], &[4, 2], &[3, 5], &[7], &[7], &[]]).as_deref(),
            Some("0 (1 (2 (3 4))) 5 6 7")
        );
    }

    #[test]
    fn a_loop_with_two_entries_has_no_regions() {
        assert_eq!(shape(&[&[1, 2], &[2], &[1, 3], &[]]), None);
        // Nor one in a loop, or one that is one only with another loop's back edges.
        assert_eq!(shape(&[&[1], &[2, 3], &[3, 4], &[2, 1], &[]]), None);
    }

    #[test]
    fn layouts_are_none_of_its_business() {
        let region = Region::of(module(&[&[1], &[1, 2], &[]]).trial()).expect("regions");
        assert_eq!(region.header(), Some(Block::from_u32(0)));
        assert!(!region.is_loop_free());
        let inner: Vec<&Region> = region.loops().collect();
        assert_eq!(inner.len(), 1);
        assert_eq!(inner[0].header(), Some(Block::from_u32(1)));
        assert!(inner[0].is_loop_free() && inner[0].layout.is_none());
    }
}
