// Tests that a program that renders charts finds the template engine: in a clone, and in a bundle, which needs only
// Node.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../dev-run.js'
import { run } from '../run-program.js'

t.setTimeout(600_000)

const placed = join(root, 'sdk/helm/render/engine/helm.wasm.br')
const skip = !existsSync(placed) && 'there is no template engine: npm run helm-engine'

/** Renders a chart, with the random text that a seed makes. */
const program = `import { defaultRenderer, loadChart } from 'vcluster-plugin-sdk/helm'
const renderer = await defaultRenderer()
const { objects } = await renderer.render(
  {
    chart: await loadChart(process.argv[2]),
    values: { text: 'hello' },
    release: { name: 'demo', namespace: 'ns', revision: 1, isInstall: true },
    capabilities: { kubeVersion: 'v1.36.3', apiVersions: ['v1'] },
    repeat: { seed: 'one', nowMs: 0 },
  },
  AbortSignal.timeout(60_000),
)
console.log(JSON.stringify([renderer.name, objects[0].object.data]))
await renderer.close()
`
const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {text: {{ .Values.text }}, random: {{ randAlphaNum 8 | quote }}}
`

void t.test('the engine is found in a clone and in a bundle', { skip }, async (t) => {
  // Outside of the project, so that a bundle cannot find its packages.
  const folder = mkdtempSync(join(tmpdir(), 'helm-bundle-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'chart/templates'), { recursive: true })
  writeFileSync(join(folder, 'chart/Chart.yaml'), 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
  writeFileSync(join(folder, 'chart/templates/a.yaml'), template)
  const inClone = join(root, '.tap/helm-bundle')
  mkdirSync(inClone, { recursive: true })
  writeFileSync(join(inClone, 'main.ts'), program)
  const chart = join(folder, 'chart')
  const node = ['-u', 'HELM_ENGINE', 'HELM_BIN=/nowhere', process.execPath]

  const sources = ['--conditions=vcluster-plugin-sdk:source', '--import=tsx', join(inClone, 'main.ts')]
  const fromSources = await run(root, [...node, ...sources, chart])
  const bundle = [join(root, 'bin/vcluster-plugin.js'), 'bundle', join(inClone, 'main.ts')]
  await run(root, [...node, ...bundle, join(folder, 'dist/main.mjs')])
  const bundled = await run(folder, [...node, join(folder, 'dist/main.mjs'), chart])

  const [name, data] = JSON.parse(bundled) as [string, { text: string; random: string }]
  t.equal(name, 'the template engine of Helm')
  t.match(data, { text: 'hello', random: /^\w{8}$/ })
  t.equal(fromSources, bundled)
  const parts = join(folder, 'dist/parts/main')
  t.ok(readFileSync(join(parts, 'helm.wasm.br')).equals(readFileSync(placed)))
  const licences = readFileSync(join(parts, 'helm.NOTICE.txt'), 'utf8')
  for (const name of ['helm.sh/helm/v3', 'Masterminds/sprig', 'Go go1', 'Apache License', 'MIT'])
    t.ok(licences.includes(name), name)

  rmSync(join(parts, 'helm.wasm.br'))
  const withoutEngine = run(folder, [...node, join(folder, 'dist/main.mjs'), chart])
  await t.rejects(withoutEngine, /NO_RENDERER|charts cannot be rendered/)
})
