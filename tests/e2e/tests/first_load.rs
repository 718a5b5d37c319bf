//! The page arrives: from any static host, under any path, asking nobody else; or it says why it could not.

use lockstep_e2e::{Page, Site};

#[test]
fn the_empty_page_loads_without_errors() {
    let page = Page::open("#/");
    page.wait_for_text("h1", "Lockstep");
    page.assert_clean();
    assert!(!page.is_visible("#fallback"));
}

#[test]
fn every_file_comes_from_the_folder_of_the_page() {
    let site = Site::shared();
    let page = Page::blank(site);
    page.load("#/");
    let requests = page.requests();
    let mut own: Vec<_> = requests.iter().filter(|url| url.starts_with("http")).collect();
    let all = own.len();
    own.sort();
    own.dedup();
    assert_eq!(own.len(), all, "what is preloaded is used, so nothing is asked for twice: {requests:?}");
    assert!(own.len() >= 6, "index, styles, loader, glue and wasm are asked for: {own:?}");
    assert!(own.iter().all(|url| url.starts_with(site.address())), "{own:?}");
}

#[test]
fn a_page_whose_wasm_does_not_arrive_says_so_in_both_languages() {
    let page = Page::blank(&Site::without(&["lockstep_bg.wasm"]));
    page.load("#/lab?seed=7");
    page.wait_for_text("#fallback", "could not be loaded");
    page.wait_for_text("#fallback", "没有完整加载");
    assert!(
        page.eval("return document.querySelector('#fallback-link').value")
            .to_string()
            .contains("#/lab?seed=7")
    );
}

#[test]
fn a_panic_leaves_the_link_and_a_way_back() {
    let page = Page::blank(Site::shared());
    page.load("#/lab?seed=7");
    page.eval("localStorage.setItem('kept', 'yes')");
    // The app panics if its place in the document is missing; once only, so that starting again works.
    page.before_load(
        "if (location.hash.includes('seed=7')) document.addEventListener('readystatechange', () => \
         document.querySelector('#app')?.remove())",
    );
    page.load("#/lab?seed=7");
    page.wait_for_text("#fallback", "What you saved in this browser is kept");
    page.wait_for_text("#fallback", "保存在浏览器里的内容都还在");
    page.wait_for_text("#fallback-reason", "#app");
    assert!(
        page.eval("return document.querySelector('#fallback-link').value")
            .to_string()
            .contains("#/lab?seed=7")
    );

    page.click("#fallback-home");
    page.wait_for_text("#app h1", "Lockstep");
    assert_eq!(page.route(), "");
    assert_eq!(page.eval("return localStorage.getItem('kept')"), "yes");
}

#[test]
fn axe_finds_no_fault_on_any_screen() {
    let page = Page::open("#/");
    page.assert_accessible();
    page.phone(390, 844);
    page.prefers(&[("prefers-color-scheme", "dark")]);
    page.load("#/?lang=zh");
    page.assert_accessible();
    assert!(!page.scrolls_sideways());
    page.assert_clean();
}
