//! Images of a creature, which attacks may hit in its place (SRD 5.1 and 5.2, "Mirror Image").

use super::Writer;
use crate::encounter::plan::{Kind, PlacedBoon, Strike};
use crate::script_text::{ScriptCode, code, quoted};

impl Writer<'_> {
    /// The images that attacks of a kind may hit: those who see invisible creatures ignore them.
    fn images_against(&self, kind: &Kind, take_hits: bool) -> Vec<(&Kind, &PlacedBoon)> {
        if kind.creature.sees_invisible() {
            return Vec::new();
        }
        let plan = self.plan;
        let boons = plan.boons_of(1 - kind.side);
        let boons = boons.filter(|one| one.boon.images_take_hits == take_hits);
        boons
            .filter(|one| one.images.is_some())
            .map(|one| (&plan.kinds[one.kind], one))
            .collect()
    }

    /// An attack may be on an image in the place of `foe`: a d20 decides (SRD 5.1).
    pub(super) fn write_images(&mut self, kind: &Kind, strike: &Strike, total: &ScriptCode) {
        let all = self.images_against(kind, false).into_iter();
        let all = all.map(|(foe, placed)| (foe.clone(), placed.clone()));
        for (foe, placed) in all.collect::<Vec<_>>() {
            let Some(images) = &placed.images else {
                continue;
            };
            let field = &placed.field;
            let armour = 10 + foe.creature.modifier("DEX").unwrap_or(0);
            self.line(code!(
                "if (foe.{field} > 0{} && roll(d20) >= (foe.{images} >= 3 ? 6 : foe.{images} == 2 \
                 ? 8 : 11)) {{",
                self.is_of(&foe, "foe"),
                field,
                images
            ));
            self.line(code!(
                "if (face == 1 || face != 20 && {total} < {armour}) {{",
                total,
                armour
            ));
            let with = format!(" with {}: ", strike.name);
            self.tell(&code!(
                "self.name + \" misses an image of \" + foe.name + {} + ({total}) + \" against \" + \
                 {armour}",
                quoted(&with),
                total,
                armour
            ));
            self.line("return;");
            self.line("}");
            self.write_end_of_image(strike, &placed);
            self.line("}");
        }
    }

    /// A hit on `foe` may be one on an image in its place: a d6 for each decides (SRD 5.2).
    pub(super) fn write_images_hit(&mut self, kind: &Kind, strike: &Strike) {
        let all = self.images_against(kind, true).into_iter();
        let all = all.map(|(foe, placed)| (foe.clone(), placed.clone()));
        for (foe, placed) in all.collect::<Vec<_>>() {
            let Some(images) = &placed.images else {
                continue;
            };
            let field = &placed.field;
            self.line(code!(
                "if (foe.{field} > 0{} && (foe.{images} >= 3 ? roll(3d6kh1) : foe.{images} == 2 ? \
                 roll(2d6kh1) : roll(d6)) >= 3) {{",
                self.is_of(&foe, "foe"),
                field,
                images
            ));
            self.write_end_of_image(strike, &placed);
            self.line("}");
        }
    }

    /// An image of `foe` is destroyed, and the attack is over.
    fn write_end_of_image(&mut self, strike: &Strike, placed: &PlacedBoon) {
        let Some(images) = &placed.images else {
            return;
        };
        let field = &placed.field;
        self.line(code!("foe.{images} -= 1;", images));
        let with = quoted(&format!(" with {}", strike.name));
        self.tell(&code!(
            "self.name + \" destroys an image of \" + foe.name + {with}",
            with
        ));
        self.line(code!(
            "if (foe.{images} == 0) {{ foe.{field} = 0; }}",
            images,
            field
        ));
        self.line("return;");
    }
}
