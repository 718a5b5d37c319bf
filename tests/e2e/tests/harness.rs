//! The harness itself: a story that fails must fail for the page's sake.

use lockstep_e2e::{Page, Site};

const NOTEBOOK: &str = "document.title = 'notebook';
    document.body.innerHTML = '<button>ring</button><input><p id=keys></p><p id=rings>0</p>';
    addEventListener('keydown', (event) => document.querySelector('#keys').append(`[${event.shiftKey ? '^' : ''}${event.key}]`));
    document.querySelector('button').addEventListener('click', () => document.querySelector('#rings').textContent++);";

#[test]
fn keys_text_and_clicks_arrive_as_a_person_would_send_them() {
    let page = Page::blank(Site::shared());
    page.eval(NOTEBOOK);
    page.press("ArrowRight");
    page.press("?");
    page.press("Shift+Tab");
    assert!(page.text("#keys").contains("[ArrowRight]"), "{}", page.text("#keys"));
    assert!(page.text("#keys").contains("[^Tab]"), "{}", page.text("#keys"));
    assert!(page.text("#keys").contains("?]"), "{}", page.text("#keys"));

    page.click("button");
    page.press("Enter");
    assert_eq!(page.text("#rings"), "2");

    page.click("input");
    page.type_text("锁 lock");
    assert_eq!(page.eval("return document.querySelector('input').value"), "锁 lock");
    assert_eq!(page.texts("p").len(), 2);
    assert_eq!(page.attr("#keys", "id").as_deref(), Some("keys"));
}

#[test]
fn a_page_can_be_seen_on_a_phone_at_night_by_a_person_who_dislikes_motion() {
    let page = Page::blank(Site::shared());
    page.phone(390, 844);
    page.prefers(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]);
    assert_eq!(page.eval("return matchMedia('(prefers-color-scheme: dark)').matches"), true);
    assert_eq!(page.eval("return matchMedia('(prefers-reduced-motion: reduce)').matches"), true);
    assert_eq!(page.eval("return matchMedia('(pointer: coarse)').matches"), true);
    assert_eq!(page.eval("return devicePixelRatio"), 2);
    page.load("#/");
    assert_eq!(page.eval("return [innerWidth, innerHeight]"), serde_json::json!([390, 844]));
}

#[test]
fn the_policy_refuses_an_inline_script_and_a_foreign_host_and_the_harness_notices() {
    let page = Page::open("#/");
    page.eval(
        "const script = document.createElement('script'); script.textContent = 'window.ran = true';
        document.body.append(script); document.body.append(Object.assign(new Image(), { src: 'http://localhost:9/' }));",
    );
    page.wait_until("both are refused", "return window.__refused.length === 2");
    assert_eq!(page.eval("return window.ran ?? false"), false);
    let refused = page.csp_violations().join("\n");
    assert!(refused.contains("script-src-elem refused inline") && refused.contains("img-src"), "{refused}");
    assert!(!page.console_errors().is_empty(), "the browser says so in its console as well");
}

#[test]
fn a_page_without_a_network_cannot_be_loaded_again() {
    let page = Page::open("#/");
    page.offline(true);
    let failed = "return fetch('boot.js', { cache: 'reload' }).then(() => false, () => true)";
    assert_eq!(page.eval(failed), true);
    page.offline(false);
    assert_eq!(page.eval(failed), false);
}

#[test]
fn what_is_drawn_can_be_kept_as_a_picture() {
    let page = Page::open("#/");
    page.wait_for_paint();
    let path = std::env::temp_dir().join(format!("lockstep-shot-{}.png", std::process::id()));
    page.screenshot(&path);
    let picture = std::fs::read(&path).expect("the picture is there");
    std::fs::remove_file(&path).expect("the picture can be removed");
    assert!(picture.starts_with(b"\x89PNG"));
}
