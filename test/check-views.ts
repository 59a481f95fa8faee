import { join } from 'node:path'
import type { Test } from 'tap'
import { axeProgram, type Page } from './browser.js'
import { keyboardFaults } from './keyboard-faults.js'
import { isWholeRun } from './whole-run.js'

/** The widths for each colour scheme. At each change a width is checked in one scheme. */
const looks = {
  dark: isWholeRun ? [390, 1440, 2560] : [390, 2560],
  light: isWholeRun ? [390, 1440, 2560] : [1440],
} as const

/** Checks every view in both colour schemes and three widths: nothing is cut off, and axe-core finds nothing. */
export async function checkViews(
  t: Test,
  page: Page,
  views: readonly (readonly [view: string, shown: string])[],
): Promise<void> {
  await page.evaluate(await axeProgram())
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [view, shown] of views) {
      await page.evaluate(`location.hash = '#/${view}'`)
      await page.waitForSelector(shown)
      for (const width of looks[colorScheme]) {
        await page.setViewportSize({ width, height: 800 })
        t.ok(await page.evaluate(fitsWindow), `${view} fits ${width} px`)
        t.strictSame(await page.evaluate(cutTables), [], `no table of ${view} is cut off at ${width} px`)
        if (width > 390)
          t.strictSame(await page.evaluate(brokenWords), [], `no word of ${view} breaks at ${width} px`)
        t.strictSame(await findings(page), [], `${view} at ${width} px, ${colorScheme}`)
        await picture(page, `${t.name} ${view} ${width} ${colorScheme}`)
      }
    }
  }
  for (const [view, shown] of views) await checkKeyboard(t, page, view, shown)
  await page.setViewportSize({ width: 1100, height: 760 })
}

/** A picture of what was checked, if `VIEW_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const { VIEW_PICTURES: folder } = process.env
  const file = `${name.replaceAll(/[^a-z\d]+/gi, '-')}.png`
  if (folder) await page.screenshot({ path: join(folder, file), fullPage: true })
}

/**
 * Forwards on a wide screen; backwards on a narrow one, where the header may hide what has the focus. An object has two
 * columns in a very wide window.
 */
async function checkKeyboard(t: Test, page: Page, view: string, shown: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${view}'`)
  await page.waitForSelector(shown)
  for (const [width, key] of [
    [1440, 'Tab'],
    [390, 'Shift+Tab'],
    ...(view.startsWith('object?') ? ([[2560, 'Tab']] as const) : []),
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    t.strictSame(await keyboardFaults(page, key), [], `${view} with ${key} at ${width} px`)
  }
}

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** Without findings that no one reads, and without loading the style again. */
const axeOptions = { preload: false, resultTypes: ['violations'] }

/** The findings of axe-core in what the page shows now, but for some rules. The page has axe-core already. */
export async function findings(page: Page, withoutRules: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(withoutRules.map((name) => [name, { enabled: false }]))
  const run = `axe.run(${JSON.stringify({ ...axeOptions, rules })})`
  const { violations } = (await page.evaluate(run)) as { violations: Violation[] }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Whether the page does not scroll sideways. */
export const fitsWindow = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'

/** The widths of the tables that are cut off, and of what they show. Two objects side by side may scroll. */
export const cutTables = `[...document.querySelectorAll('.scroll:not(:has(.diff))')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.clientWidth + ' of ' + one.scrollWidth + ' px')`

/** Words that table cells show broken over several lines; a hyphen or a slash may end a line. */
const brokenWords = `[...document.querySelectorAll('table:not(.diff) td')].flatMap((cell) => {
  const found = []
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest('details:not([open]) > :not(summary)')) continue
    for (const { 0: word, index } of text.data.matchAll(/[\\w.]+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) found.push(word)
    }
  }
  return found
})`
