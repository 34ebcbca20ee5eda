//! Cones, lines and other areas, in fights where creatures have positions (SRD 5.1, "Areas of
//! Effect").

use super::Writer;
use crate::encounter::feature::{Reach, Shape};
use crate::encounter::plan::What;
use crate::script_text::code;

impl Writer<'_> {
    /// The lists of creatures in areas, the weakest first.
    pub(super) fn write_areas(&mut self) {
        let shapes: Vec<Shape> = self
            .plan
            .kinds
            .iter()
            .flat_map(|kind| kind.used().into_iter().map(|deed| &kind.deeds[deed].what))
            .filter_map(|what| match what {
                What::Blast(_, Reach::Area(shape)) => Some(*shape),
                _ => None,
            })
            .collect();
        let any = |is_it: fn(&Shape) -> bool| shapes.iter().any(is_it);
        let within = "c.hp > 0 && distance(self, c) <= feet";
        if any(|shape| matches!(shape, Shape::Radius(_) | Shape::Point(..))) {
            self.out.comment("Whom an area around somebody reaches.");
            self.line(
                "deffun around(self: creature, foes: creature list, feet: int) : creature list {",
            );
            self.line(code!(
                "return sorted(c by c.hp for c : foes if {within});",
                within
            ));
            self.line("}\n");
        }
        if any(|shape| matches!(shape, Shape::Cone(_) | Shape::Line(..))) {
            self.out
                .comment("How far somebody is along the way from one to another, and next to it, both times its length.");
            self.line("deffun ahead(self: creature, aim: creature, c: creature) : int {");
            self.line(
                "return (aim.x - self.x) * (c.x - self.x) + (aim.y - self.y) * (c.y - self.y);",
            );
            self.line("}\n");
            self.line("deffun aside(self: creature, aim: creature, c: creature) : int {");
            self.line("return abs((aim.x - self.x) * (c.y - self.y) - (aim.y - self.y) * (c.x - self.x));");
            self.line("}\n");
        }
        let parameters = "self: creature, aim: creature, foes: creature list, feet: int";
        if any(|shape| matches!(shape, Shape::Cone(_))) {
            self.out
                .comment("Whom a cone toward somebody reaches: it is as wide as it is long.");
            self.line(code!(
                "deffun inCone({parameters}) : creature list {{",
                parameters
            ));
            self.line(code!(
                "return sorted(c by c.hp for c : foes if {within} && 2 * aside(self, aim, c) \
                 <= ahead(self, aim, c));",
                within
            ));
            self.line("}\n");
        }
        if any(|shape| matches!(shape, Shape::Line(..))) {
            self.out.comment("Whom a line toward somebody reaches.");
            self.line(code!(
                "deffun inLine({parameters}, width: int) : creature list {{",
                parameters
            ));
            self.line(
                "long = (aim.x - self.x) * (aim.x - self.x) + (aim.y - self.y) * (aim.y - self.y);",
            );
            self.line(code!(
                "return sorted(c by c.hp for c : foes if {within} && ahead(self, aim, c) >= 0 \
                 && 4 * aside(self, aim, c) * aside(self, aim, c) <= width * width * long);",
                within
            ));
            self.line("}\n");
        }
    }
}
