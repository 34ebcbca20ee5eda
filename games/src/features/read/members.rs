//! Members of documents that are probably typos.

use crate::features::document::Node;
use crate::features::findings::Findings;
use dicec_lang::syntax::nearest;

/// Notes members that nothing reads.
pub(super) fn unknown_members(node: &Node, known: &[&str], findings: &mut Findings) {
    for (name, member) in node.members() {
        if known.contains(&name) {
            continue;
        }
        let near = nearest(name.get(..40).unwrap_or(name), known.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known.join(", ")),
        };
        findings.odd(member, "is a member that nothing reads", help);
    }
}
