// Tests which renderer is chosen, and the error where there is none.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { chartOfFiles } from '../chart/chart-of-files.js'
import { functionChart } from '../chart/function-chart.js'
import { defaultRenderer } from './default-renderer.js'
import { helmRenderer } from './program/helm-renderer.js'
import type { RenderRequest } from './renderer.js'

const signal = new AbortController().signal
const inCode = functionChart({ name: 'a', version: '1.0.0' }, () => [])
const fromFiles = chartOfFiles(
  [{ name: 'Chart.yaml', data: Buffer.from('name: demo\nversion: 1.0.0') }],
  'demo',
)
const requestOf = (chart: RenderRequest['chart']): RenderRequest => ({
  chart,
  values: {},
  release: { name: 'demo', namespace: 'ns', revision: 1, isInstall: true },
  capabilities: { kubeVersion: 'v1.36.3', apiVersions: [] },
})

/** A program that answers as helm of a version, and renders as a script says. */
function fakeHelm(t: Test, version: string, script = ''): string {
  const code = `#!/bin/sh\n[ "$1" = version ] && { echo ${version}+gabc; exit; }\n${script}\n`
  const folder = t.testdir({ helm: code })
  chmodSync(join(folder, 'helm'), 0o755)
  return folder
}

void t.test('charts in code need no renderer, others get one clear error', async (t) => {
  const renderer = await defaultRenderer([inCode], {})
  t.strictSame((await renderer.render(requestOf(inCode), signal)).objects, [])
  await t.rejects(renderer.render(requestOf(await fromFiles), signal), { code: 'NO_RENDERER' })
  await renderer.close()
  await t.rejects(defaultRenderer([inCode, await fromFiles], { PATH: '/nowhere', HELM_ENGINE: '' }), {
    code: 'NO_RENDERER',
    message: /neither the template engine of Helm nor a helm program.*npm run helm-engine.* HELM_BIN/,
  })
})

void t.test('a helm program of the PATH is used if there is no engine', async (t) => {
  const folder = fakeHelm(t, 'v3.13.0')
  const renderer = await defaultRenderer([await fromFiles], { PATH: `/nowhere:${folder}`, HELM_ENGINE: '' })
  t.equal(renderer.name, 'helm 3.13.0')
  await renderer.close()
})

void t.test('a program that is too old, or not helm, is refused', async (t) => {
  const refusal = async (version: string) => {
    const error: unknown = await helmRenderer({ bin: join(fakeHelm(t, version), 'helm') }).catch(
      (e: unknown) => e,
    )
    return String(error)
  }
  t.match(await refusal('v3.12.9'), /is helm 3.12.9, but 3.13 or later is needed/)
  t.match(await refusal('hello'), /is not a helm program/)
  await t.rejects(helmRenderer({ env: { HELM_BIN: '/nowhere/helm' } }), {
    message: /\/nowhere\/helm is not a helm program/,
  })
})

void t.test('a program gets no environment, and what it says is the error', async (t) => {
  process.env.TOKEN = 'secret'
  const script = 'env >&2; cat >&2; echo "Error: not today" >&2; exit 1'
  const renderer = await helmRenderer({ bin: join(fakeHelm(t, 'v4.0.0', script), 'helm') })
  t.teardown(() => renderer.close())
  const request = { ...requestOf(await fromFiles), values: { given: true } }
  const error = String(await renderer.render(request, signal).catch((e: unknown) => e))
  t.match(error, /RenderError: [\s\S]*\{"given":true\}Error: not today$/)
  t.notMatch(error, /^TOKEN=/m)
  t.match(error, /^KUBECONFIG=.*no-kubeconfig$/m)
})

void t.test('a program that hangs or floods is ended', async (t) => {
  const run = async (script: string, timeoutMs: number) => {
    const renderer = await helmRenderer({ bin: join(fakeHelm(t, 'v4.0.0', script), 'helm'), timeoutMs })
    t.teardown(() => renderer.close())
    return renderer.render(requestOf(await fromFiles), signal)
  }
  await t.rejects(run('exec sleep 60', 1500), {
    reason: 'RenderError',
    message: /not rendered within 1\.5 s; if it needs more time, set timeoutMs of helmRenderer/,
  })
  await t.rejects(run('exec head -c 80000000 /dev/zero', 60_000), { message: /more than 67108864 bytes/ })
})
