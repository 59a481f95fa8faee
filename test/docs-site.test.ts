// Tests the site of the documents in a real browser, as `npm run docs` has built it. CI builds it before the tests.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { axeProgram, openBrowser, type Page, until } from './browser.js'
import { findings, fitsWindow, picture } from './check-views.js'
import { root } from './dev-run.js'
import { keyboardFaults } from './keyboard-faults.js'
import { isWholeRun } from './whole-run.js'

// A browser that looks at large pages takes minutes on busy machines.
t.setTimeout(600_000)
t.comment('timeout=600000')

/** The start with code and pictures, a tutorial, a guide, pages with wide tables, and the reference of a class. */
const paths = [
  'index.html',
  'documents/Tutorial__copy_every_ConfigMap.html',
  'documents/How_a_release_is_kept.html',
  'documents/Error_codes.html',
  'classes/sdk.PluginError.html',
]

/**
 * Rules that the theme does not follow: headings in the navigation fold and are links, both of which the keyboard
 * reaches, and the headings "Example" and "Settings" have a fixed level.
 */
const rulesOfTheme = ['nested-interactive', 'heading-order']

/** The layouts of the theme, and its two schemes of colours. */
const looks = [
  [390, 'light'],
  [1440, 'dark'],
  ...(isWholeRun
    ? ([
        [1440, 'light'],
        [2560, 'dark'],
      ] as const)
    : []),
] as const

const site = join(root, 'site')
const isBuilt = existsSync(join(site, 'index.html'))
const browser = isBuilt ? await openBrowser() : 'no site: run npm run docs'
const skip = typeof browser === 'string' && browser
if (typeof browser !== 'string') t.teardown(() => browser.close())

async function open(path: string): Promise<Page> {
  if (typeof browser === 'string') throw new Error(browser)
  const page = await browser.newPage({ viewport: { width: 1440, height: 800 } })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(pathToFileURL(join(site, path)).href)
  await until(page, 'document.body.style.display !== "none"')
  return page
}

for (const path of paths)
  void t.test(`${path} fits each width, and axe-core finds nothing`, { skip }, async (t) => {
    const page = await open(path)
    await page.evaluate(await axeProgram())
    for (const [width, colorScheme] of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      t.ok(await page.evaluate(fitsWindow), `${width} px`)
      t.strictSame(await findings(page, rulesOfTheme), [], `${width} px, ${colorScheme}`)
      await picture(page, `${path} ${width} ${colorScheme}`)
    }
  })

void t.test('the keyboard reaches everything on a page of the site', { skip }, async (t) => {
  t.strictSame(await keyboardFaults(await open('classes/sdk.PluginError.html'), 'Tab'), [])
})
