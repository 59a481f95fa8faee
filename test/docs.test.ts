// Tests that links, code, commands, files and names in the documents exist.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import * as z from 'zod'
import { programPackage } from '../cli/create/templates/package-files.js'
import { diagrams } from '../scripts/diagrams.js'
import { promisePages } from '../scripts/promises.js'
import { readSlowTests } from '../scripts/test-queue.mjs'
import { pageGroups } from '../scripts/tools/site-groups.mjs'
import { createPrometheusMetrics } from '../sdk/engine/health/prometheus-metrics.js'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import { mirrorDown } from '../sdk/vcluster/syncer/translator/mirror.js'
import { testPlugin } from '../testing/plugin/test-plugin.js'
import { codeBlocks, mistakesIn } from './doc-code.js'
import { examplesOf, publicNamesOf } from './doc-examples.js'

t.setTimeout(600_000)
const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts, dependencies } = z
  .object({ scripts: z.record(z.string(), z.string()), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))

const documents = [
  ...markdownIn('.', { deep: false }),
  ...['docs', 'examples', 'test'].flatMap((folder) => markdownIn(folder, { deep: true })),
]
const operatorGuides = documents.filter((document) => document.startsWith('docs/guides/operator-'))
const tables = ['ARCHITECTURE.md', 'SECURITY.md', ...operatorGuides, 'docs/threat-model.md']

void t.test('every link to a file of the project is valid', async (t) => {
  for (const document of documents) {
    for (const [, target = ''] of prose(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? document : normalize(join(dirname(document), path))
      t.ok(existsSync(join(root, file)), `${document}: ${target}`)
      if (anchor) t.ok(anchorsOf(file).includes(anchor), `${document}: ${target}`)
    }
  }
})

void t.test('a code block with a file name equals that file', async (t) => {
  const shown = documents.flatMap((document) =>
    [...read(document).matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', code = '']) => ({
      document,
      file,
      code,
    })),
  )
  for (const { document, file, code } of shown) t.equal(code, read(file), `${document}: ${file}`)
  t.ok(shown.length > 15, `${shown.length} blocks`)
})

void t.test('all metrics of a running plugin are documented, and no others', async (t) => {
  const metrics = createPrometheusMetrics()
  const test = await testPlugin((plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), { metrics })
  await test.stop()
  const told = [...(await metrics.text()).matchAll(/^# HELP ((?!process_|nodejs_)\S+)/gm)].map(
    ([, name = '']) => name,
  )
  const explained = [...read('docs/metrics.md').matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name)
  t.ok(told.length > 30)
  for (const name of told) t.ok(explained.includes(name), name)
  // Metrics that exist only after a real connection or a conflict, or in another kind of plugin.
  const later = /^(rest_client_|sync_conflicts_|cnpg_plugin_)/
  t.same(
    explained.filter((name) => !told.includes(name) && !later.test(name)),
    [],
  )
  const rows = read('docs/metrics.md').matchAll(/^\| `(\w+)` \| ([\w, ]*) \|/gm)
  const documented = new Map([...rows].map(([, name = '', labels = '']) => [name, labels.trim()]))
  const samples = [...(await metrics.text()).matchAll(/^(?!process_|nodejs_)(\w+)\{(.*)\} /gm)]
  t.ok(samples.length > 30, `${samples.length} samples`)
  for (const [, sample = '', pairs = ''] of samples) {
    const name = documented.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '')
    const labels = [...pairs.matchAll(/(\w+)="/g)]
      .map(([, label = '']) => label)
      .filter((label) => label !== 'le')
    t.strictSame(labels.sort(), documented.get(name)?.split(', ').sort(), sample)
  }
})

void t.test('all other TypeScript blocks compile, with the code around them', async (t) => {
  const blocks = documents
    .filter((document) => !document.startsWith(normalize('docs/api/')))
    // The tests of these tutorials compile the files of a page together.
    .filter((document) => !/^docs\/tutorial-(operator|helm|cnpg|modules)\.md$/.test(document))
    .flatMap((document) => codeBlocks(document, read(document)))
  t.ok(blocks.length > 10, `${blocks.length} blocks`)
  t.same(await mistakesIn(blocks, root), [])
  const wrong = codeBlocks('x.md', '<!-- within:\nif (true) {\n...\n}\n-->\n```ts\nplugin.start(1)\n```\n')
  t.match(await mistakesIn(wrong, root), ['x.md:7: Expected 0 arguments, but got 1.'])
})

void t.test('every @example of a public name compiles', async (t) => {
  const examples = [
    'sdk/index.ts',
    'sdk/operator/index.ts',
    'sdk/helm/index.ts',
    'sdk/modules/index.ts',
    'sdk/cnpg/index.ts',
    'testing/cnpg/index.ts',
    'testing/index.ts',
  ].flatMap((index) => publicNamesOf(index, root).flatMap(examplesOf))
  t.ok(examples.length > 20, `${examples.length} examples`)
  t.same(await mistakesIn(examples, root), [])
})

void t.test('the messages in troubleshooting are those of a plugin', async (t) => {
  const sources = ['sdk', 'apiserver', 'simulator', 'testing', 'cli']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .concat('bin/vcluster-plugin.js')
    .map((file) => read(file))
  const quoted = read('docs/troubleshooting.md')
    .split('\n')
    .flatMap((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? [])
  t.ok(quoted.length > 20, `${quoted.length} quotations`)
  for (const words of quoted)
    t.ok(
      sources.some((source) => source.includes(words)),
      words,
    )
})

void t.test('every diagram matches its source and is shown', async (t) => {
  const pages = documents.map(read).join('\n')
  for (const { file, svg } of await diagrams()) {
    t.equal(svg, read(`docs/diagrams/${file}`), `${file}: run npm run diagrams`)
    t.match(pages, `](diagrams/${file})`)
  }
})

void t.test('every page is reachable from the README by links', async (t) => {
  const found = new Set(['README.md'])
  for (const document of found) {
    for (const target of linksOf(document)) {
      if (documents.includes(target)) found.add(target)
    }
  }
  t.same(
    documents.filter((document) => document.startsWith('docs') && !found.has(document)),
    [],
  )
})

void t.test('the index, which the site follows, has every page under one of four headings', async (t) => {
  const groups = pageGroups(read('docs/README.md'))
  t.strictSame([...new Set(groups.values())], ['Start', 'Guides', 'Reference', 'Proofs'])
  // Pages of a folder that has an index of its own.
  const inner = /^docs\/(adr\/\d|monitoring\/runbooks\/|README\.md)/
  t.strictSame(
    documents.filter((page) => page.startsWith('docs/') && !inner.test(page) && !groups.has(page)),
    [],
  )
})

void t.test('every npm script in a document exists, here or in a created project', async (t) => {
  const { scripts: created } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(programPackage({ name: 'x', packages: {}, dependencies: [] })))
  for (const document of documents) {
    for (const [command, run, name = ''] of read(document).matchAll(
      /\bnpm (run (?:--silent )?)?([a-z:-]+)\b/g,
    )) {
      if (run || ['start', 'test'].includes(name))
        t.ok(scripts[name] ?? created[name], `${document}: ${command}`)
    }
  }
})

void t.test('every file and folder in a document exists', async (t) => {
  const top = new Set(readdirSync(root))
  const made = ['dist', 'node_modules', '.vcluster-plugin', '.tap']
  for (const document of documents) {
    for (const path of [...quotedIn(document), ...pathsInCommands(document)]) {
      const [first = ''] = path.split('/')
      if (!path.includes('/') || made.includes(first) || !top.has(first)) continue
      t.ok(existsSync(join(root, path)), `${document}: ${path}`)
    }
  }
})

void t.test('a name or test title after a file is in that file', async (t) => {
  let found = 0
  for (const document of tables) {
    for (const [, file = '', name, title] of prose(document).matchAll(
      /`([\w./-]+\.ts)` (?:`([\w$]+)`|\*([^*]+)\*)/g,
    )) {
      found++
      const sought = (title ?? name ?? '').replace(/\s+/g, ' ')
      t.ok(read(file).includes(sought), `${document}: ${sought} in ${file}`)
    }
  }
  t.ok(found > 20, `${found} names were checked`)
})

void t.test('every promise has a test, and the pages of promises are current', async (t) => {
  const pages = promisePages()
  const slow = readSlowTests(read('scripts/slow-tests.txt'))
  const nightly = new Set(slow.filter(({ isNightly }) => isNightly).map(({ file }) => file))
  const named = pages.flatMap(({ promises }) => promises.flatMap(({ tests }) => Object.values(tests).flat()))
  t.ok(named.length > 440, 'none is lost')
  for (const { path, text, promises } of pages) {
    t.equal(read(path), text, `${path}: run npm run promises`)
    for (const { promise, tests, real } of promises) {
      for (const file of real) t.ok(existsSync(join(root, file)), `${path}: ${promise}: ${file}`)
      for (const [test, titles] of Object.entries(tests)) {
        for (const title of titles)
          t.ok(isTitleIn(test, title), `${path}: ${promise}: ${test} has no test "${title}"`)
        t.notOk(
          nightly.has(test) && !real.includes(test),
          `${path}: ${promise}: ${test} runs only at night; name a test that runs at every change`,
        )
      }
    }
  }
})

void t.test('every attempt of the threat model has a test and the command to run it', async (t) => {
  const document = 'docs/threat-model.md'
  const rows = read(document)
    .split('\n')
    .filter((line) => /^\|(?! *(---|#))/.test(line))
  t.ok(rows.length > 20, `${rows.length} rows`)
  const attacks = read('test/attacks/attacks.test.ts')
  for (const row of rows) {
    const [, file = '', title = ''] = /`([\w./-]+\.test\.ts)` \*([^*]+)\* \|$/.exec(row) ?? []
    const [, number = ''] = /^\| (A\d+) \|.* \| \*\1\* \|$/.exec(row) ?? []
    const isTested = number === '' ? file !== '' && isTitleIn(file, title) : attacks.includes(`'${number}: `)
    t.ok(isTested, row.slice(0, 80))
  }
  t.match(read(document), 'npm test -- ')
})

/** The folders of sdk/ that consist of rooms. */
const layers = ['engine', 'vcluster']

for (const { folder, orderOf } of [
  {
    folder: 'sdk',
    orderOf: () => [
      ...roomsInRules('engineRooms').map((room) => `engine/${room}`),
      ...roomsInRules('vclusterRooms').map((room) => `vcluster/${room}`),
      ...programsInRules(),
    ],
  },
  { folder: 'apiserver', orderOf: () => roomsInRules('apiRooms') },
]) {
  void t.test(`the picture of ${folder}/ has all rooms, in the order of the layers`, async (t) => {
    const block =
      new RegExp(`^\`\`\`\\n${folder}/\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(read('ARCHITECTURE.md'))?.[1] ?? ''
    const picture = roomsOf(block)
    const rooms = foldersIn(folder).flatMap((room) =>
      layers.includes(room) ? foldersIn(join(folder, room)).map((inner) => `${room}/${inner}`) : [room],
    )
    t.same([...picture].sort(), rooms.sort())
    t.same(picture, orderOf())
  })
}

/** A list of rooms in the rules of the layers. */
function roomsInRules(list: string): string[] {
  const rules = read('.dependency-cruiser.cjs')
  const order = new RegExp(`^const ${list} = \\[([^\\]]*)\\]`, 'm').exec(rules)?.[1] ?? ''
  return [...order.matchAll(/'([a-z]+)'/g)].map(([, room = '']) => room)
}

/** The entry points without a vcluster in the rules of the layers. */
function programsInRules(): string[] {
  const programs = /^const programs = \{(.*)\}/m.exec(read('.dependency-cruiser.cjs'))?.[1] ?? ''
  return [...programs.matchAll(/([a-z]+): /g)].map(([, program = '']) => program)
}

void t.test('every room of sdk/ has a test file', async (t) => {
  const rooms = foldersIn('sdk').flatMap((room) =>
    layers.includes(room) ? foldersIn(join('sdk', room)).map((inner) => `${room}/${inner}`) : [room],
  )
  for (const room of rooms) {
    const files = readdirSync(join(root, 'sdk', room), { recursive: true, encoding: 'utf8' })
    t.ok(
      files.some((file) => file.endsWith('.test.ts')),
      room,
    )
  }
})

void t.test('every runtime dependency has a reason', async (t) => {
  const page = read('docs/adr/0001-runtime-dependencies.md')
  const tabled = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name)
  const unused = page.split('\n\n').find((paragraph) => paragraph.startsWith('Declared')) ?? ''
  const declared = [...unused.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  t.same([...tabled, ...declared].sort(), Object.keys(dependencies).sort())
})

void t.test('every decision is listed, and no document has open tasks', async (t) => {
  const list = read('docs/adr/README.md')
  for (const page of readdirSync(join(root, 'docs/adr'))) {
    if (page !== 'README.md') t.match(list, `[${page.slice(0, 4)}](${page})`)
  }
  for (const document of documents) t.notMatch(read(document), /\bTODO\b|\bTBD\b|\bFIXME\b/, document)
})

/** The rooms of a picture; those of a layer with its name, such as `engine/kube`. */
function roomsOf(picture: string): string[] {
  let layer = ''
  return [...picture.matchAll(/^(│ {3})?[├└]── ([a-z]+)\/ /gm)].flatMap(([, inner, room = '']) => {
    if (inner !== undefined) return [`${layer}/${room}`]
    layer = room
    return layers.includes(room) ? [] : [room]
  })
}

function foldersIn(folder: string): string[] {
  return readdirSync(join(root, folder)).filter((entry) => statSync(join(root, folder, entry)).isDirectory())
}

function markdownIn(folder: string, { deep }: { deep: boolean }): string[] {
  return readdirSync(join(root, folder), { recursive: deep, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => normalize(join(folder, file)))
}

/** The project's files to which a document links. */
function linksOf(document: string): string[] {
  return [...prose(document).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(document), target)))
}

/** The quoted code of a document, without patterns and placeholders. */
function quotedIn(document: string): string[] {
  return [...prose(document).matchAll(/`([^`\s*<>{}$()]+)`/g)].map(([, code = '']) => code)
}

function pathsInCommands(document: string): string[] {
  const blocks = [...read(document).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, commands = '']) => commands,
  )
  return [...blocks.join('').matchAll(/[\w.-]+(?:\/[\w.-]+)+/g)].map(([path]) => path)
}

/** The text without its code blocks. */
function prose(document: string): string {
  return read(document).replace(/^```[\s\S]*?^```$/gm, '')
}

/** The anchors of a document's headings. */
function anchorsOf(document: string): string[] {
  return [...prose(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** Whether a test in the file has exactly this title. */
function isTitleIn(file: string, title: string): boolean {
  const parts = read(file).split(title)
  const [before, after] = [/(?:\b(?:test|http2Test)\(|\btitle:)\s*['"`]$/, /^['"`]/]
  return parts.some((text, i) => before.test(text) && after.test(parts[i + 1] ?? ''))
}
