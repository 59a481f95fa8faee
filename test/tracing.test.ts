// Spans of OpenTelemetry: of runs and their calls, and of hooks, where a program has registered an SDK.
import t from 'tap'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import { processTracing } from '../sdk/engine/observe/tracing.js'
import { backups } from '../sdk/operator/backups.fixture.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { testOperator } from '../testing/index.js'
import { type RecordedSpan, recordSpans } from './recorded-spans.js'

class CannotDecideError extends Error {
  override readonly name = 'CannotDecideError'
}

/** Runs an operator with one object; answers its spans. */
async function spansOf(reconcile: (attempt: number) => void): Promise<RecordedSpan[]> {
  const { spans, end } = recordSpans()
  let attempts = 0
  try {
    const test = await testOperator(
      (operator) =>
        operator.register(
          controller(backups, {
            owns: [configMaps],
            async reconcile(ctx, { metadata: { namespace = '', name = '' } }) {
              attempts++
              await ctx.apply(configMaps, { metadata: { namespace, name }, data: { a: 'b' } })
              reconcile(attempts)
            },
          }),
        ),
      { definitions: [crdOf(backups as never)] },
    )
    await test.client.create(backups, {
      metadata: { namespace: 'default', name: 'daily' },
      spec: { size: 1 },
    } as never)
    await test.settled()
    await test.stop()
  } finally {
    end()
  }
  return [...spans]
}

void t.test('without an SDK there is no tracing', async (t) => {
  t.equal(processTracing(), undefined)
})

void t.test('a run has a span, and its calls have spans inside it', async (t) => {
  const spans = await spansOf(() => {})
  const [run] = spans.filter(({ name }) => name.startsWith('reconcile '))
  t.match(run, {
    parent: undefined,
    status: undefined,
    attributes: { 'k8s.namespace.name': 'default', 'k8s.object.name': 'daily' },
  })
  const applied = spans.find(
    ({ name, attributes }) => name === 'PATCH' && /configmaps/.test(String(attributes['url.path'])),
  )
  t.match(applied, {
    parent: run?.id,
    attributes: {
      cluster: 'main',
      'http.response.status_code': 201,
      'url.path': '/api/v1/namespaces/default/configmaps/daily',
    },
  })
  const runs = new Set(
    spans.filter(({ parent }) => parent === undefined).map(({ name }) => name.split(' ')[0]),
  )
  t.strictSame([...runs], ['reconcile'], 'calls outside of runs, such as for the Lease, have none')
})

void t.test('the span of a run that failed has the type of its error and no text of it', async (t) => {
  const spans = await spansOf((attempt) => {
    if (attempt === 1) throw new CannotDecideError('the secret is c4n4ry')
  })
  const [failed, ...later] = spans.filter(({ name }) => name.startsWith('reconcile '))
  t.match(failed, { status: { code: 2 }, attributes: { 'error.type': 'CannotDecideError' } })
  t.notMatch(JSON.stringify(spans), /c4n4ry/)
  t.ok(later.every(({ status }) => status === undefined))
})
