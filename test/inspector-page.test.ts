// Tests the inspector's page in a real browser: clicks through every view and compares it with the API.
// INSPECTOR_SCREENSHOTS=docs/images writes a picture of each view.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Explanation } from '../sdk/inspector/explanation-view.js'
import {
  configMap,
  type InspectedPlugin,
  inspectedPlugin,
  pod,
  secretText,
} from '../sdk/inspector/inspected-plugin.fixture.js'
import type { Overview, PairPage } from '../sdk/inspector/model.js'
import { configMaps, pods, secrets } from '../sdk/kube/builtin.js'
import { axeProgram, openBrowser, type Page, until } from './browser.js'

// This test starts a browser, which takes longer on busy machines.
t.setTimeout(180_000)

const markup = '<img src=x onerror="document.title=1">'
const taken = 'vcluster-vc/taken-x-default-x-vc'

async function fill({ virtual, host, settled }: InspectedPlugin): Promise<void> {
  await host.create(configMaps, configMap(taken, { text: 'mine' }))
  await virtual.create(pods, pod('default/web'))
  const data = { password: Buffer.from(secretText).toString('base64') }
  await virtual.create(secrets, { metadata: { name: 'key', namespace: 'default' }, data })
  for (const name of ['greeting', 'taken', 'never', 'private', 'broken'])
    await virtual.create(configMaps, configMap(`default/${name}`))
  await virtual.create(configMaps, configMap('default/markup', { text: markup }))
  for (let n = 0; n < 100; n++) await virtual.create(configMaps, configMap(`default/many-${n}`))
  await settled()
}

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** The findings of axe-core in both colour schemes. */
async function findings(page: Page, axe: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = (await page.evaluate(`${axe};axe.run()`)) as { violations: Violation[] }
    for (const { id, nodes } of violations)
      found.push(
        ...nodes.map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html} ${failureSummary}`),
      )
  }
  return found
}

async function picture(page: Page, name: string): Promise<void> {
  const { INSPECTOR_SCREENSHOTS: folder } = process.env
  if (folder) await page.screenshot({ path: join(folder, `inspector-${name}.png`) })
}

const rowsOf = (page: Page, table: string) =>
  page.evaluate(
    `[...document.querySelectorAll('[aria-label="${table}"] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))`,
  ) as Promise<string[][]>

const browser = await openBrowser()
const skip = typeof browser === 'string' && browser

async function setUp(t: Test) {
  if (typeof browser === 'string') throw new Error(browser)
  t.teardown(() => browser.close())
  const plugin = await inspectedPlugin()
  t.teardown(() => plugin.stop())
  await fill(plugin)
  const page = await browser.newPage({ viewport: { width: 900, height: 560 } })
  const troubles: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(plugin.url)) troubles.push(`the page requested ${request.url()}`)
  })
  return { page, plugin, troubles, axe: await axeProgram() }
}

void t.test('every view shows the data of the API', { skip }, async (t) => {
  const { page, plugin, troubles, axe } = await setUp(t)
  const { virtual, settled, url } = plugin
  const overview = async () => (await plugin.read('overview')) as Overview
  const open = async (view: string) => {
    await page.click(`nav a[href="#/${view}"]`)
    await page.waitForSelector(`nav a[href="#/${view}"][aria-current=page]`)
  }
  await page.goto(`${url}/inspector`)
  await until(page, 'document.getElementById("live").textContent === "live"')

  await t.test('syncers, with their load, lag and errors', async (t) => {
    const { syncers } = await overview()
    await page.waitForSelector('article[data-syncer=secret] svg.chart')
    t.equal(syncers.length, 2)
    for (const { name, objects, load } of syncers) {
      const text = await page.textContent(`article[data-syncer=${name}]`)
      t.match(text, new RegExp(`${objects.virtual} virtual, ${objects.host} host`))
      t.match(text, new RegExp(`0 of ${load.workers}`))
      const points = `document.querySelector('[data-syncer=${name}] polyline.p99').getAttribute('points')`
      t.match(await page.evaluate(points), /^[\d.]+,[\d.]+ /)
    }
    const errors = await rowsOf(page, 'Latest errors of configmap')
    t.ok(
      errors.some(([, at, message]) => at === 'default/never' && message === 'it is too large for the host'),
    )
    t.same(await findings(page, axe), [])
    await picture(page, 'syncers')
  })

  await t.test('pairs are found by name and state', async (t) => {
    await open('pairs')
    await until(page, 'document.querySelectorAll("tbody tr").length === 100')
    t.match(await page.textContent('form + p'), /^\d+ found; .*1 name conflict/)
    await page.click('text=Show more')
    await until(page, 'document.querySelectorAll("tbody tr").length > 100')
    await page.fill('input[name=text]', 'DEFAULT/')
    await page.selectOption('select[name=syncer]', 'configmap')
    await page.selectOption('select[name=state]', 'name conflict')
    await until(page, 'document.querySelectorAll("tbody tr").length === 1')
    const told = (await plugin.read('pairs?text=default/&state=name%20conflict&syncer=configmap')) as PairPage
    t.same(
      (await rowsOf(page, 'Pairs')).map(([state, kind, name, host]) => [state, kind, name, host]),
      told.pairs.map(({ kind, namespace, name }) => ['name conflict', kind, `${namespace}/${name}`, '–']),
    )
    t.match(page.url(), /#\/pairs\?text=DEFAULT%2F&syncer=configmap&state=name\+conflict$/)
    await page.selectOption('select[name=state]', '')
    await page.fill('input[name=text]', '')
    await until(page, 'document.querySelectorAll("tbody tr").length === 100')
    await page.fill('input[name=text]', 'default/many-1')
    await until(page, 'document.querySelectorAll("tbody tr").length === 11')
    t.same(await findings(page, axe), [])
    await page.fill('input[name=text]', 'default/')
    await until(page, 'document.querySelectorAll("tbody tr").length === 100')
    await picture(page, 'pairs')
  })

  await t.test('a pair by keyboard only: both sides, ownership, and the reason', async (t) => {
    await page.fill('input[name=text]', 'taken')
    await until(page, 'document.querySelectorAll("tbody tr").length === 1')
    for (let n = 0; n < 12 && (await focused(page)) !== 'A default/taken'; n++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.diff tbody tr')
    t.equal(await focused(page), 'H1 default/taken', 'the heading has the focus')
    const [told] = (await plugin.read('why?syncer=configmap&namespace=default&name=taken')) as Explanation[]
    t.match(await page.textContent('main'), /name conflict – ConfigMap default\/taken is not copied/)
    const fields = await rowsOf(page, 'Fields of the copy that are not as wanted; status is not compared')
    t.same(fields.at(-1), ['data.text', '"hello"', '"mine"'])
    t.ok(fields.some(([field]) => field === 'metadata.labels["vcluster.loft.sh/managed-by"]'))
    t.same(
      await rowsOf(page, 'Both objects side by side'),
      told?.lines.map(({ virtual, host }) => [virtual ?? '', host ?? '']),
    )
    t.equal((await rowsOf(page, 'What happened lately, the latest first')).length, told?.timeline.length)
    t.match(await rowsOf(page, 'Events of the virtual object, the latest first'), [
      [String, 'Warning', 'NameConflict'],
    ])
    t.same(await findings(page, axe), [])
    await picture(page, 'pair')
  })

  await t.test('a change appears without a reload, and markup is shown as text', async (t) => {
    await page.goto(`${url}/inspector/#/pair?syncer=configmap&namespace=default&name=markup`)
    await page.waitForSelector('.diff tbody tr')
    t.match(await page.textContent('.diff'), markup)
    t.equal(await page.evaluate('document.querySelectorAll("main img").length'), 0)
    await virtual.update(configMaps, configMap('default/markup', { text: 'seen at once' }))
    await settled()
    await until(page, 'document.querySelector(".diff").textContent.includes("seen at once")')
    await until(page, 'document.querySelector("main").textContent.includes("written by the plugin")')
  })

  await t.test('a Secret is shown without its data', async (t) => {
    await page.goto(`${url}/inspector/#/pair?syncer=secret&namespace=default&name=key`)
    await until(page, 'document.querySelector("main").textContent.includes("password")')
    const content = await page.content()
    for (const text of [secretText, Buffer.from(secretText).toString('base64')])
      t.notOk(content.includes(text))
    await picture(page, 'secret')
  })

  await t.test('watches, hooks and the plugin itself', async (t) => {
    const { watches, hooks, plugin: facts } = await overview()
    await open('watches')
    await page.waitForSelector('[aria-label=Watches] tbody tr')
    const shown = await rowsOf(page, 'Watches')
    t.same(
      shown.map(([side, kind, namespace, state]) => [side, kind, namespace, state]),
      watches.map(({ side, apiVersion, kind, namespace }) => [
        side,
        `${apiVersion} ${kind}`,
        namespace ?? 'all',
        'synced',
      ]),
    )
    t.same(await findings(page, axe), [])
    await picture(page, 'watches')
    await open('hooks')
    await page.waitForSelector('[aria-label=Hooks] tbody tr')
    t.match(await rowsOf(page, 'Hooks'), [['stamp', 'v1 Pod', 'CreatePhysical', 'unchanged 1', / ms$/]])
    t.equal(hooks.length, 1)
    t.same(await findings(page, axe), [])
    await picture(page, 'hooks')
    await open('plugin')
    await page.waitForSelector('main dl')
    const text = await page.textContent('main')
    for (const part of [facts.name, facts.mode, facts.targetNamespace, 'leading', 'as long as it runs'])
      t.match(text, part)
    t.same(await findings(page, axe), [])
    await picture(page, 'plugin')
  })

  await t.test('an object that fails repeatedly is quarantined and shown as such', async () => {
    await page.goto(`${url}/inspector/#/pairs?state=quarantined`)
    await until(page, `document.querySelector('tbody').textContent.includes('default/broken')`)
    await page.click('text=default/broken')
    await until(page, `document.querySelector('main').textContent.includes('is tried once a minute at most')`)
    await picture(page, 'quarantined')
  })

  await t.test('every view fits its window, from a phone to a wide screen', async (t) => {
    const pair = 'pair?syncer=configmap&namespace=default&name=taken'
    for (const view of ['syncers', 'pairs', pair, 'watches', 'hooks', 'plugin']) {
      await page.goto(`${url}/inspector/#/${view}`)
      await page.waitForSelector(view === 'plugin' ? 'main dl' : 'main table')
      for (const width of [390, 1440, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        t.ok(await page.evaluate(fitsWindow), `${view} fits ${width} px`)
        if (width > 390)
          t.same(await page.evaluate(brokenWords), [], `no word of ${view} breaks at ${width} px`)
      }
    }
  })

  t.same(troubles, [], 'no errors, no warnings, and no external requests')
})

const fitsWindow = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'

/** Words of table cells that are broken over several lines; a hyphen or a slash may end a line. */
const brokenWords = `[...document.querySelectorAll('table:not(.diff) td')].flatMap((cell) => {
  const found = []
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
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

const focused = (page: Page) =>
  page.evaluate('[document.activeElement.tagName, document.activeElement.textContent].join(" ")')
