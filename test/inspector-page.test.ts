// Tests the inspector's page in a real browser: clicks through every view and compares it with the API.
// INSPECTOR_SCREENSHOTS=docs/images writes a picture of each view.
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { DevInspector } from '../cli/dev/inspector/dev-inspector.js'
import {
  clusterOf,
  inspectedCnpg,
  password,
  pluginName,
} from '../sdk/cnpg/inspection/inspected-cnpg.fixture.js'
import type { Explanation } from '../sdk/engine/inspector/explanation-view.js'
import type { Overview } from '../sdk/engine/inspector/model.js'
import type { PairPage } from '../sdk/engine/inspector/pair-model.js'
import { configMaps, pods, secrets } from '../sdk/engine/kube/builtin.js'
import { PermanentError } from '../sdk/engine/kube/error.js'
import { chart, definition, greetings, key, kind } from '../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../sdk/helm/reconciler/helm-controller.js'
import { modules } from '../sdk/modules/kinds/module-kind.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  NotingProgram,
  registering,
} from '../sdk/modules/module/modules.fixture.js'
import { servedOperator } from '../sdk/operator/inspected-operator.fixture.js'
import {
  configMap,
  type InspectedPlugin,
  inspectedPlugin,
  pod,
  secretText,
} from '../sdk/vcluster/plugin/inspection/inspected-plugin.fixture.js'
import { openBrowser, type Page, until } from './browser.js'
import { checkViews, cutTables } from './check-views.js'

// This test starts a browser, which takes longer on busy machines.
t.setTimeout(600_000)
t.comment('timeout=600000')

/** The part of the overview below the failing objects, once these are known and nothing moves any more. */
const answered = 'section:is(.alarm, .calm) ~ section'

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

/** Changes objects for so long, so that the charts of a picture have lines. */
async function busyFor({ virtual, settled }: InspectedPlugin, durationMs: number): Promise<void> {
  const until = Date.now() + durationMs
  for (let round = 0; Date.now() < until; round++) {
    const count = 1 + ((round * 7) % 12)
    for (let n = 0; n < count; n++)
      await virtual.update(configMaps, configMap(`default/many-${n}`, { round: String(round) }))
    await settled()
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
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
if (typeof browser !== 'string') t.teardown(() => browser.close())

/** A page of the inspector at an address, and what went wrong on it. */
async function openInspector(url: string, troubles: string[]): Promise<Page> {
  if (typeof browser === 'string') throw new Error(browser)
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 } })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) troubles.push(`the page requested ${request.url()}`)
  })
  await page.goto(`${url}/inspector`)
  await until(page, 'document.getElementById("live")?.textContent === "live"')
  return page
}

const placesOfColumns =
  '[...document.querySelectorAll(".columns > div")].map((one) => one.getBoundingClientRect().toJSON())'

/** Opens a view without a new page load. */
const show = (page: Page, view: string) => page.evaluate(`location.hash = '#/${view}'`)

const hasText = (page: Page, text: string) =>
  until(page, `document.querySelector('main').textContent.includes(${JSON.stringify(text)})`)

void t.test('every view of a plugin shows the data of the API', { skip }, async (t) => {
  const plugin = await inspectedPlugin()
  t.teardown(() => plugin.stop())
  await fill(plugin)
  const { virtual, settled, url } = plugin
  const troubles: string[] = []
  const page = await openInspector(url, troubles)
  const overview = async () => (await plugin.read('overview')) as Overview
  const open = async (view: string) => {
    await page.click(`nav a[href="#/${view}"]`)
    await page.waitForSelector(`nav a[href="#/${view}"][aria-current=page]`)
  }

  await t.test('the overview has failing objects first, then load, lag and errors', async (t) => {
    const { syncers } = await overview()
    await page.waitForSelector('article[data-syncer=secret] .chart canvas')
    t.equal(syncers.length, 2)
    for (const { name, objects, load } of syncers) {
      const text = await page.textContent(`article[data-syncer=${name}]`)
      t.match(text, new RegExp(`${objects.virtual} virtual, ${objects.host} host`))
      t.match(text, new RegExp(`0 of ${load.workers}`))
      const labels = `[...document.querySelectorAll('[data-syncer=${name}] [role=img]')].map(one => one.ariaLabel)`
      t.match(await page.evaluate(labels), [
        new RegExp(`^Lag of ${name} over five minutes: half below [\\d.]+ m?s`),
        new RegExp(`^Queue of ${name} over five minutes: 0 keys wait now, at most \\d+ waited`),
        new RegExp(`^Runs of ${name} over five minutes: [\\d.]+ a second now`),
      ])
    }
    const errors = await rowsOf(page, 'Latest errors of configmap')
    t.ok(
      errors.some(([, at, message]) => at === 'default/never' && message === 'it is too large for the host'),
    )
    await page.waitForSelector('[aria-label="Failing objects"] tr')
    const failing = await rowsOf(page, 'Failing objects')
    t.strictSame(
      failing.map(([, name]) => name).sort(),
      ['default/broken', 'default/never', 'default/taken'],
      'and none that is well',
    )
    const reasons = Object.fromEntries(failing.map(([, name = '', , reason]) => [name, reason]))
    t.match(reasons, {
      'default/never': /^it is too large for the host/,
      'default/taken': /vcluster-vc\/taken-x-default-x-vc .*not its own/,
    })
    t.equal(await page.textContent('section.alarm h2'), '3 objects need you')
  })

  await t.test('objects are found by name, syncer and the counts of their states', async (t) => {
    await open('objects')
    await until(page, 'document.querySelectorAll("tbody tr").length === 100')
    const first = (await rowsOf(page, 'Objects'))[0]
    t.match(first?.[0], /quarantined|name conflict/, 'those first that need a person')
    await page.click('text=Show more')
    await until(page, 'document.querySelectorAll("tbody tr").length > 100')
    await page.fill('input[name=text]', 'DEFAULT/')
    await page.selectOption('select[name=syncer]', 'configmap')
    await page.click('button.chip:has-text("name conflict")')
    await until(page, 'document.querySelectorAll("tbody tr").length === 1')
    const told = (await plugin.read('pairs?text=default/&state=name%20conflict&syncer=configmap')) as PairPage
    t.strictSame(
      (await rowsOf(page, 'Objects')).map(([state, kind, name, host]) => [state, kind, name, host]),
      told.pairs.map(({ kind, namespace, name }) => ['name conflict', kind, `${namespace}/${name}`, '–']),
    )
    t.match(page.url(), /#\/objects\?text=DEFAULT%2F&syncer=configmap&state=name\+conflict$/)
    await page.click('button.chip[aria-pressed=true]')
    await page.fill('input[name=text]', 'default/many-1')
    await until(page, 'document.querySelectorAll("tbody tr").length === 11')
    await page.fill('input[name=text]', 'default/')
    await until(page, 'document.querySelectorAll("tbody tr").length === 100')
    await picture(page, 'objects')
  })

  await t.test('an object by keyboard only: both sides, ownership, and the reason', async (t) => {
    await page.fill('input[name=text]', 'taken')
    await until(page, 'document.querySelectorAll("tbody tr").length === 1')
    for (let n = 0; n < 14 && (await focused(page)) !== 'A default/taken'; n++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.diff tbody tr')
    t.equal(await focused(page), 'H1 default/taken', 'the heading has the focus')
    const [told] = (await plugin.read('why?syncer=configmap&namespace=default&name=taken')) as Explanation[]
    t.match(await page.textContent('main'), /name conflict ConfigMap default\/taken is not copied/)
    const fields = await rowsOf(page, 'Fields of the copy that are not as wanted; status is not compared')
    t.strictSame(fields.at(-1), ['data.text', '"hello"', '"mine"'])
    t.ok(fields.some(([field]) => field === 'metadata.labels["vcluster.loft.sh/managed-by"]'))
    const coloured = (await page.evaluate(
      `[...document.querySelectorAll('.virtual-only, .host-only')].map((cell) => cell.textContent.trim())`,
    )) as string[]
    t.ok(coloured.includes('text: hello'))
    t.notOk(
      coloured.some((text) => /^(uid|resourceVersion|creationTimestamp|time):/.test(text)),
      'fields that the API servers set are not coloured',
    )
    t.ok(told?.lines.some(({ serverSet, virtual }) => serverSet && virtual?.includes('uid:')))
    t.match(await page.textContent('main'), 'kubectl get configmap taken -n default -o yaml')
    t.match(
      await page.evaluate(`document.querySelector('.timeline').ariaLabel`),
      /^(?=.*\d+ changes?)(?=.*\d+ runs?)(?=.*1 event).*within/,
    )
    t.match(await rowsOf(page, 'Events of the object, the latest first'), [
      [String, 'Warning', 'NameConflict'],
    ])
    await picture(page, 'object')
  })

  await t.test('a change appears without a reload, and markup is shown as text', async (t) => {
    await show(page, 'object?syncer=configmap&namespace=default&name=markup')
    await page.click('text=/Show \\d+ equal lines/')
    await hasText(page, markup)
    t.equal(await page.evaluate('document.querySelectorAll("main img").length'), 0)
    await virtual.update(configMaps, configMap('default/markup', { text: 'seen at once' }))
    await settled()
    await hasText(page, 'seen at once')
    await hasText(page, 'written by the program')
    await open('activity')
    await until(page, 'document.querySelectorAll("tbody tr").length > 0')
    const [row] = (await rowsOf(page, 'The latest runs, the latest first')).filter(
      ([, name]) => name === 'default/markup',
    )
    t.match(row, [String, 'default/markup', 'configmap', 'success', /^\d+$/])
    await picture(page, 'activity')
  })

  await t.test('a Secret is shown without its data', async (t) => {
    await show(page, 'object?syncer=secret&namespace=default&name=key')
    await page.click('text=/Show \\d+ equal lines/')
    await hasText(page, 'password')
    const content = await page.content()
    for (const text of [secretText, Buffer.from(secretText).toString('base64')])
      t.notOk(content.includes(text))
    await picture(page, 'secret')
  })

  await t.test('watches, hooks and the program itself', async (t) => {
    const { watches, plugin: facts } = await overview()
    await open('watches')
    await page.waitForSelector('[aria-label=Watches] tbody tr')
    const shown = await rowsOf(page, 'Watches')
    t.strictSame(
      shown.map(([side, kind, namespace, state]) => [side, kind, namespace, state]),
      watches.map(({ side, apiVersion, kind, namespace }) => [
        side,
        `${apiVersion} ${kind}`,
        namespace ?? 'all',
        'synced',
      ]),
    )
    await picture(page, 'watches')
    await open('hooks')
    await page.waitForSelector('[aria-label=Hooks] tbody tr')
    t.match(await rowsOf(page, 'Hooks'), [['stamp', 'v1 Pod', 'CreatePhysical', 'unchanged 1', / ms$/]])
    await picture(page, 'hooks')
    await open('program')
    await page.waitForSelector('main dl')
    const text = await page.textContent('main')
    for (const part of [facts.name, facts.mode, facts.targetNamespace ?? '', 'leading', 'as long as it runs'])
      t.match(text, part)
    await picture(page, 'program')
  })

  await t.test('an object that fails repeatedly is quarantined and shown as such', async () => {
    await show(page, 'objects?state=quarantined')
    await hasText(page, 'default/broken')
    await page.click('text=default/broken')
    await hasText(page, 'is tried once a minute at most')
    await hasText(page, ' × ')
    await picture(page, 'quarantined')
  })

  await t.test('an object has its history next to its state in a wide window, else below', async (t) => {
    await show(page, 'object?syncer=configmap&namespace=default&name=taken')
    await page.waitForSelector('.diff tbody tr')
    for (const [width, isBeside] of [
      [2560, true],
      [1440, false],
      [390, false],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const places = (await page.evaluate(placesOfColumns)) as { top: number; left: number }[]
      const [state, history] = places
      t.equal(state?.top === history?.top, isBeside, `${width} px`)
      t.equal(state?.left === history?.left, !isBeside, `${width} px`)
    }
    await page.setViewportSize({ width: 1100, height: 760 })
  })

  await checkViews(t, page, [
    ['overview', `${answered} article .chart canvas`],
    ['objects?text=many-1&state=in+sync', 'tbody tr'],
    ['object?syncer=configmap&namespace=default&name=taken', '.diff tbody tr'],
    ['activity', 'main h1'],
    ['watches', 'tbody tr'],
    ['hooks', 'tbody tr'],
    ['program', 'main dl'],
  ])
  t.strictSame(troubles, [], 'no errors, no warnings, and no external requests')
  if (!process.env.INSPECTOR_SCREENSHOTS) return
  await busyFor(plugin, 45_000)
  await show(page, 'overview')
  await page.waitForSelector('article .chart canvas')
  await picture(page, 'overview')
})

void t.test('the page of dev stays while the program ends, and does more', { skip }, async (t) => {
  const plugin = await inspectedPlugin()
  t.teardown(() => plugin.stop())
  await plugin.virtual.create(configMaps, configMap('default/greeting'))
  await plugin.settled()
  const dev = await DevInspector.start({
    once: false,
    programPort: Number(new URL(plugin.url).port),
    env: {},
  })
  t.teardown(() => dev.close())
  const child = Object.assign(new EventEmitter(), {
    connected: true,
    asked: [] as object[],
    send: (message: object) => void child.asked.push(message),
  })
  let end = (_exit: { code: number; signal: null; failure: undefined }) => {}
  const exited = new Promise<Parameters<typeof end>[0]>((resolve) => {
    end = resolve
  })
  dev.follow({ child, pid: 7, exited } as never)
  dev.show([{ name: 'virtual', kubectl: 'kubectl --kubeconfig /dev/virtual', client: plugin.virtual }])
  const error = { message: 'no', frames: ['sync (src/main.ts:12:3)'] }
  const entry = { what: 'run', atMs: Date.now(), result: 'error', durationMs: 1, error: 'no' }
  const of = { namespace: 'default', name: 'greeting' }
  const record = { what: 'run', worker: 'configmap', key: of, waiting: 0, entry, error }
  child.emit('message', { inspector: 'records', records: [record] })

  const troubles: string[] = []
  const page = await openInspector(new URL(dev.url ?? '').origin, troubles)
  await page.waitForSelector(`a[href="vscode://file${process.cwd()}/src/main.ts:12:3"]`)
  await show(page, 'object?syncer=configmap&namespace=default&name=greeting')
  await hasText(page, 'kubectl --kubeconfig /dev/virtual get configmap greeting -n default -o yaml')
  await page.click('text=Run again')
  await hasText(page, 'asked for')
  t.strictSame(child.asked, [{ inspector: 'run', syncer: 'configmap', ...of }])
  end({ code: 1, signal: null, failure: undefined })
  await hasText(page, 'The program does not run: process 7 ended with status 1.')
  await checkViews(t, page, [['overview', `${answered} article a[href^="vscode:"]`]])
  t.strictSame(troubles, [])
})

void t.test('the page shows the controllers and releases of an operator', { skip }, async (t) => {
  const options = { resource: kind, chart, driftDetection: 'report', reconcilePeriodMs: 0 } as const
  const operator = await servedOperator(t, (one) => one.register(helmController(options)), [definition])
  const { client, settled, url } = operator
  await client.create(greetings, { metadata: key, spec: { text: 'first' } })
  await settled()
  await client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'by hand' } } })
  await settled()
  const troubles: string[] = []
  const page = await openInspector(url, troubles)
  await page.waitForSelector('article[data-syncer=greetings]')
  t.match(
    await page.textContent('article[data-syncer=greetings]'),
    'controller of example.com/v1 Greeting in main',
  )
  t.equal(await page.evaluate(`document.querySelector('nav').textContent.includes('Hooks')`), false)
  await page.click('nav a[href="#/releases"]')
  await page.waitForSelector('[aria-label="Releases of Greeting"] tbody tr')
  t.strictSame(await rowsOf(page, 'Releases of Greeting'), [
    ['in sync', 'default/hello', 'hello', 'default', '1', 'greeter-1.0.0'],
  ])
  await page.click('text=default/hello')
  await page.waitForSelector('[aria-label="Objects that are not as deployed"]')
  t.strictSame(await rowsOf(page, 'Objects that are not as deployed'), [
    ['ConfigMap default/hello', 'data.text'],
  ])
  t.match(await rowsOf(page, 'Revisions, the latest first'), [['1', 'deployed', 'greeter-1.0.0']])
  t.match(await page.textContent('main'), 'kubectl get greeting.example.com hello -n default -o yaml')
  t.ok(
    (await rowsOf(page, 'Conditions of the object')).some(
      ([type, status]) => type === 'Deployed' && status === 'True',
    ),
  )
  await picture(page, 'release')
  await checkViews(t, page, [
    ['overview', `${answered} article .chart canvas`],
    ['releases', 'tbody tr'],
    ['object?syncer=greetings&namespace=default&name=hello', 'details'],
  ])
  t.strictSame(troubles, [])
})

void t.test('the page shows the operation and the last error of a Module', { skip }, async (t) => {
  const noting = new NotingProgram()
  noting.behaviour.install = () => {
    throw new PermanentError('the database does not answer')
  }
  const { client, settled, url } = await servedOperator(t, registering(noting), definitions)
  await createWorkspace(client)
  await client.create(modules, moduleOf())
  await settled()
  const troubles: string[] = []
  const page = await openInspector(url, troubles)
  const view = 'object?syncer=modules&namespace=default&name=shop'
  await show(page, view)
  await page.waitForSelector('text=From its controller')
  t.match(await page.textContent('main'), /operation\s*install, attempt 1, begun at/)
  t.match(await page.textContent('main'), /last error\s*InstallError: the database does not answer/)
  await checkViews(t, page, [[view, 'details']])
  t.strictSame(troubles, [])
})

void t.test('the page shows the calls of a CNPG plugin', { skip }, async (t) => {
  const { operator, url } = await inspectedCnpg(t)
  await operator.create(clusterOf())
  await t.rejects(operator.create(clusterOf({ refused: 'yes' })), /must not be refused/)
  await operator.change(({ spec }) => {
    spec.plugins = [{ name: pluginName, parameters: { wrong: 'blue' } }]
  })
  const troubles: string[] = []
  const page = await openInspector(url, troubles)
  await page.waitForSelector('[aria-label="Latest errors"] tbody tr')
  t.match(await rowsOf(page, 'Latest errors'), [
    [String, 'OperatorLifecycle/LifecycleHook', 'default/db', /^the key blue does not exist/],
  ])
  const [hook] = (await rowsOf(page, 'Methods')).filter(
    ([name]) => name === 'OperatorLifecycle/LifecycleHook',
  )
  t.match(hook?.[1], /OK \d+, FAILED_PRECONDITION \d+/)
  const [created] = (await rowsOf(page, 'Methods')).filter(
    ([name]) => name === 'Operator/ValidateClusterCreate',
  )
  t.equal(created?.[1], 'OK 1, refused 1')
  await page.click('text=/^\\d+ methods without a call$/')
  await hasText(page, 'WAL: GetCapabilities, Archive')
  t.equal(await page.evaluate(`document.querySelector('nav').textContent`), 'OverviewCallsProgram')
  await page.click('nav a[href="#/calls"]')
  await page.fill('input[name=text]', 'pod default/db-1')
  await page.waitForSelector('summary')
  await page.click('summary >> nth=0')
  await hasText(page, '/metadata/labels')
  t.notOk((await page.content()).includes(password))
  t.strictSame(await page.evaluate(cutTables), [], 'an open patch is not cut off at 1100 px')
  await picture(page, 'calls')
  await page.click('button.chip')
  await until(
    page,
    `[...document.querySelectorAll('tbody tr')].every((row) => !row.textContent.includes('OK'))`,
  )
  await checkViews(t, page, [
    ['overview', '[aria-label=Methods] tbody tr'],
    ['calls', 'tbody tr summary'],
    ['program', 'main dl'],
  ])
  t.strictSame(troubles, [])
})

const focused = (page: Page) =>
  page.evaluate('[document.activeElement.tagName, document.activeElement.textContent].join(" ")')
