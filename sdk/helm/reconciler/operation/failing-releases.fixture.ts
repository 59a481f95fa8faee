// Releases whose revisions fail.
import type { Test } from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { TestOperator, TestOperatorOptions } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { find, history, start, until } from '../reconciled.fixture.js'

/** A ConfigMap that cannot be changed, and others before it and after it. */
const frozen = functionChart({ name: 'frozen', version: '1.0.0' }, ({ text = 'a', bad }, { name }) => [
  configMap(`${name}-a`, { text: String(text) }),
  { ...configMap(name, { text: String(text) }), immutable: true },
  ...(bad ? [configMap('z', { 'no key': '' })] : []),
])

/** An operator with the chart, and what lets its time pass. */
export async function started(
  t: Test,
  options: Partial<HelmControllerOptions> = {},
  more: TestOperatorOptions = {},
) {
  const clock = new VirtualClock()
  const servers = { main: await createApiServer({ clock }) }
  const test = await start(
    t,
    { chart: frozen, reconcilePeriodMs: 0, ...options },
    { clock, servers, ...more },
  )
  /** Lets time pass; runs under way end meanwhile. */
  const pass = async (ms: number) => {
    await clock.advance(ms)
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      await clock.advance(20)
    }
  }
  /** Lets time pass until the history is as expected. */
  const reach = async (...expected: RegExp[]) =>
    until(async () => {
      await clock.advance(20)
      const found = await history(test)
      return found.length === expected.length && expected.every((one, at) => one.test(found[at] ?? ''))
    })
  const text = async (name: string) => (await find(test, configMaps, name))?.data?.text
  return { test, pass, reach, text }
}

/** Makes an object that the release may take over. Returns its UID. */
export async function makeExisting({ client }: TestOperator, name: string): Promise<string | undefined> {
  const annotations = { 'meta.helm.sh/release-name': 'hello', 'meta.helm.sh/release-namespace': 'default' }
  const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
  const metadata = { namespace: 'default', name, labels, annotations }
  return (await client.create(configMaps, { metadata })).metadata.uid
}

export const superseded = /superseded/
export const failed = /failed/
export const deployed = /deployed/
