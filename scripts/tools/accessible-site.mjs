// A plugin of TypeDoc: gives the parts of each page the roles by which screen readers find them.
import { PageEvent } from 'typedoc'

/** Parts of the markup of TypeDoc's theme, and what the page has instead. */
const replacements = [
  ['<div class="col-content">', '<div class="col-content" role="main">'],
  ['<div class="col-sidebar">', '<div class="col-sidebar" role="complementary" aria-label="Contents">'],
  // Tables of Markdown whose first column has no title.
  ['<th></th>', '<td></td>'],
]

/**
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  app.renderer.on(PageEvent.END, (page) => {
    for (const [markup, replacement] of replacements)
      page.contents = page.contents?.replaceAll(markup, replacement)
  })
}
