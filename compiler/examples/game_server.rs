//! The core of a game server: it compiles texts that players send, rolls with structured dice,
//! computes odds, cancels a simulation from another thread and replays a player's choices.
//!
//! ```text
//! cargo run --release -p dicec-compiler --example game_server
//! ```

use dicec_compiler::{
    Bound, Compiler, Control, Failure, Limits, Program, ResourceName, ResourceTable, ScriptSession,
    Session, Simulation,
};
use serde_json::json;
use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

/// What the server keeps between requests: a program owns what it uses, so a cache needs no
/// lifetimes, and any thread may use what is in it.
struct Server {
    compiler: Compiler,
    programs: RwLock<HashMap<String, Program>>,
}

impl Server {
    fn new() -> Self {
        Self {
            // Texts come from people whom the server does not know.
            compiler: Compiler::new().limits(Limits::untrusted()),
            programs: RwLock::default(),
        }
    }

    /// The rule of a text, compiled once.
    fn rule(&self, text: &str) -> Result<Program, Box<dyn Error>> {
        if let Some(program) = self
            .programs
            .read()
            .map_err(|_| "a poisoned lock")?
            .get(text)
        {
            return Ok(program.clone());
        }
        let program = self.compiler.rule(text)?;
        let mut programs = self.programs.write().map_err(|_| "a poisoned lock")?;
        programs.insert(text.to_owned(), program.clone());
        Ok(program)
    }
}

/// The resources of a request.
fn resources(values: &[(&str, i64)]) -> ResourceTable {
    let mut table = ResourceTable::new();
    for (name, value) in values {
        table.set(ResourceName::parse(name), *value);
    }
    table
}

fn rolls(server: &Server, session: &mut Session) -> Result<(), Box<dyn Error>> {
    let attack = server.rule("2d20kh1 + [Attack]")?;
    let attack = attack.bind(&resources(&[("Attack", 7)]))?;
    let rolled = attack.roll(session)?;
    println!("{}", rolled.rendered);
    for die in &rolled.dice {
        let fate = if die.is_kept() { "kept" } else { "dropped" };
        println!("  a d{} shows {}: {fate}", die.sides, die.face);
    }
    // A total alone needs no trace.
    let total = attack.total(session)?;
    println!("the next total: {total:?}");
    Ok(())
}

/// What a player did wrong is data: a code, a place and help.
fn mistakes(server: &Server) {
    if let Err(error) = server.rule("2d6 + [Strenght") {
        println!("refused: {error}");
    }
    let unbound = server
        .rule("1d20 + [Attack]")
        .map(|rule| rule.bind_values(&[]).map(|_| ()));
    println!("without its resource: {unbound:?}");
}

fn odds(server: &Server) -> Result<Bound, Box<dyn Error>> {
    let check = server.rule("1d20 + [Attack] >= [Target Defense]")?;
    let check = check.bind(&resources(&[("Attack", 6), ("Target Defense", 15)]))?;
    let hit = check
        .distribution(&Limits::untrusted().exact)?
        .probability(1);
    println!("it hits in {:.0} % of all cases, exactly", 100.0 * hit);
    Ok(check)
}

/// A simulation in one thread that another one stops.
fn cancels(check: &Bound) -> Result<(), Box<dyn Error>> {
    let control = Control::default();
    let (work, handle) = (check.clone(), control.clone());
    let endless = Simulation::trials(u64::MAX >> 8).threads(1);
    let worker = thread::spawn(move || work.simulate_with(&endless, &handle));
    thread::sleep(Duration::from_millis(300));
    control.cancel();
    match worker.join().map_err(|_| "the worker panicked")? {
        Err(Failure::Cancelled { done, units }) => println!("cancelled after {done} {units}"),
        other => println!("it ended by itself: {other:?}"),
    }
    Ok(())
}

const SMITE: &str = r#"
    defroll "Smite" smite(bonus: int, ac: int) {
        if (roll(d20) + bonus < ac) {
            output("Miss");
            return 0;
        }
        damage = roll(2d6 + 4);
        if (userOption("Smite?")) { damage += roll(2d8); }
        output("Hit for " + damage);
        return damage;
    }
"#;

/// A player takes an option after seeing the dice: the roll is made again, and what was rolled
/// stays.
fn replays(server: &Server) -> Result<(), Box<dyn Error>> {
    let script = server.compiler.script(SMITE)?;
    let smite = script.roll("smite").ok_or("it is defined above")?;
    let args = smite.arguments(&json!({"bonus": 9, "ac": 12}))?;
    let smite = smite.bind(args, &ResourceTable::new())?;
    let mut session = ScriptSession::new(3);
    let before = smite.play(&mut session)?;
    println!("{:?}, result {:?}", before.steps, before.result);
    for option in &before.options {
        session.choose(&option.path, true);
    }
    // The session survives a restart of the server.
    let saved = session.to_json(&smite.identity());
    let mut session = ScriptSession::from_json(&saved, &smite.identity(), false)?;
    let after = smite.play(&mut session)?;
    println!("{:?}, result {:?}", after.steps, after.result);
    assert_eq!(before.rolls[0].dice, after.rolls[0].dice);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let server = Arc::new(Server::new());
    rolls(&server, &mut Session::seeded(42))?;
    mistakes(&server);
    let check = odds(&server)?;
    cancels(&check)?;
    replays(&server)
}
