import type { Test } from 'tap'
import { type TestOperator, type TestOperatorOptions, testOperator } from '../../../testing/index.js'
import type { Client } from '../../engine/client/client.js'
import { events, pods } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { JsonObject } from '../chart/json-object.js'
import { ReleaseStore } from '../release/release-store.js'
import { chart, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import type { HelmControllerOptions } from './options/options.js'

export const register =
  (options: Partial<HelmControllerOptions> = {}) =>
  (operator: { register(definition: ReturnType<typeof helmController>): void }) =>
    operator.register(helmController({ resource: kind, chart, ...options }))

/** Starts an operator with the chart `greeter`. */
export async function start(
  t: Test,
  options: Partial<HelmControllerOptions> = {},
  more: TestOperatorOptions = {},
): Promise<TestOperator> {
  const test = await testOperator(register(options), { definitions: [definition], ...more })
  t.teardown(() => test.stop())
  return test
}

export const create = ({ client }: { client: Client }, spec?: JsonObject, annotations = {}) =>
  client.create(greetings, { metadata: { ...key, annotations }, ...(spec && { spec }) })
export const edit = ({ client }: { client: Client }, body: object) =>
  client.patch(greetings, key, { type: 'merge', body })
export const find = <T extends KubeObject>(
  { client }: { client: Client },
  resource: Resource<T>,
  name = 'hello',
) =>
  client.get(resource, { namespace: 'default', name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
export const history = async ({ client }: { client: Client }) =>
  (await new ReleaseStore(client, Date.now).revisions('default', 'hello')).map(
    ({ release }) => `${release.version} ${release.info.status}`,
  )
export const statusOf = async (test: TestOperator) => (await find(test, greetings))?.status
export const conditionOf = async (test: TestOperator, type: string) =>
  (await statusOf(test))?.conditions?.find((one) => one.type === type)

export const setPhase = ({ client }: TestOperator, phase: string) =>
  client.patch(
    pods,
    { namespace: 'default', name: 'hello-hook' },
    { type: 'merge', subresource: 'status', body: { status: { phase } } },
  )

export async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** The messages of the Events with a reason. */
export async function eventsOf({ client }: { client: Client }, reason: string): Promise<string[]> {
  const { items } = await client.list(events, { namespace: 'default' })
  return items.filter((event) => event.reason === reason).map(({ message = '' }) => message)
}
