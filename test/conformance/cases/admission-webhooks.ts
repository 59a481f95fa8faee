import type { CaseGroup } from '../case.js'
import { setting, type WebhookCall, withWebhooks } from '../webhook-server.js'

const source = 'Kubernetes documentation, Dynamic Admission Control'
const object = { metadata: { name: 'a' }, data: { x: '1' } }
const namesOf = (calls: readonly WebhookCall[]) => calls.map(({ webhook }) => webhook)
const refuse = (code: number, message: string) => ({ allowed: false, status: { code, message } })

/** How a server calls admission webhooks. */
export const admissionWebhooks: CaseGroup = {
  name: 'admission-webhooks',
  cases: [
    {
      name: 'a validating webhook gets what mutating ones made',
      source,
      async run(scene) {
        const first = { name: 'first', type: 'Mutating', reply: () => setting('first', 'yes') } as const
        const second = { name: 'second', type: 'Mutating', reply: () => setting('second', 'yes') } as const
        const last = { name: 'last', type: 'Validating' } as const
        await withWebhooks(scene, [last, first, second], async (calls) => {
          const answer = await scene.post('configmaps', object)
          const data = { x: '1', first: 'yes', second: 'yes' }
          scene.expect.answer(answer, 201, { data })
          scene.expect.same(namesOf(calls), ['first', 'second', 'last'])
          scene.expect.same(calls.at(-1)?.request.object?.data, data)
        })
      },
    },
    {
      name: 'a validating webhook refuses with its own code and message',
      source,
      async run(scene) {
        const reply = () => refuse(422, 'not like this')
        await withWebhooks(scene, [{ name: 'no', type: 'Validating', reply }], async () => {
          const name = `no.${scene.namespace}.example.com`
          const { status, body } = await scene.post('configmaps', object)
          scene.expect.same(status, 422)
          scene.expect.has(body, { message: `admission webhook "${name}" denied the request: not like this` })
          scene.expect.answer(await scene.get('configmaps/a'), 404)
        })
      },
    },
    {
      name: 'the warnings of a webhook reach the client',
      source,
      async run(scene) {
        const reply = () => ({ warnings: ['take care'] })
        await withWebhooks(scene, [{ name: 'warns', type: 'Validating', reply }], async () => {
          const { headers } = await scene.post('configmaps', object)
          scene.expect.same(headers.warning, '299 - "take care"')
        })
      },
    },
    {
      name: 'a webhook that fails refuses or is ignored, by its failure policy',
      source,
      async run(scene) {
        const reply = () => Promise.reject(new Error('broken'))
        const ignored = {
          name: 'ignored',
          type: 'Validating',
          reply,
          settings: { failurePolicy: 'Ignore' },
        } as const
        await withWebhooks(scene, [ignored], async () => {
          scene.expect.answer(await scene.post('configmaps', object), 201)
        })
        await withWebhooks(scene, [{ ...ignored, name: 'fatal', settings: {} }], async () => {
          const { status, body } = await scene.post('configmaps', { metadata: { name: 'b' } })
          scene.expect.same(status, 500)
          scene.expect.has(body, { reason: 'InternalError', message: /failed calling webhook "fatal\./ })
        })
      },
    },
    {
      name: 'a webhook that is slower than its timeout fails',
      source,
      async run(scene) {
        const reply = () => new Promise<object>((resolve) => setTimeout(resolve, 3000, {}))
        const slow = { name: 'slow', type: 'Validating', reply, settings: { timeoutSeconds: 1 } } as const
        await withWebhooks(scene, [slow], async () => {
          const { status, body } = await scene.post('configmaps', object)
          scene.expect.same(status, 500)
          scene.expect.has(body, { message: /context deadline exceeded$/ })
        })
      },
    },
    {
      name: 'conditions and selectors decide whether a webhook is called',
      source,
      async run(scene) {
        const named = (name: string, expression: string) => ({
          name,
          type: 'Validating' as const,
          settings: { matchConditions: [{ name: 'c', expression }] },
        })
        const labelled = { objectSelector: { matchLabels: { call: 'me' } } }
        const hooks = [
          named('met', 'object.metadata.name == "a"'),
          named('unmet', 'object.metadata.name == "b"'),
          { name: 'labelled', type: 'Validating' as const, settings: labelled },
        ]
        await withWebhooks(scene, hooks, async (calls) => {
          scene.expect.answer(await scene.post('configmaps', object), 201)
          scene.expect.same(namesOf(calls), ['met'])
          await scene.patch('configmaps/a', 'merge', { metadata: { labels: { call: 'me' } } })
          scene.expect.same(namesOf(calls).sort(), ['labelled', 'met', 'met'])
        })
      },
    },
    {
      name: 'a webhook gets the object before and after, and whether the call is a dry run',
      source,
      async run(scene) {
        await withWebhooks(scene, [{ name: 'sees', type: 'Validating' }], async (calls) => {
          await scene.post('configmaps?dryRun=All', object)
          await scene.post('configmaps', object)
          await scene.patch('configmaps/a', 'merge', { data: { x: '2' } })
          await scene.delete('configmaps/a')
          const seen = calls.map(({ request }) => [
            request.operation,
            request.dryRun,
            request.oldObject?.data?.x,
            request.object?.data?.x,
          ])
          scene.expect.same(seen, [
            ['CREATE', true, undefined, '1'],
            ['CREATE', false, undefined, '1'],
            ['UPDATE', false, '1', '2'],
            ['DELETE', false, '2', undefined],
          ])
        })
      },
    },
    {
      name: 'a mutating webhook is called again if a later one changes the object and it asks for that',
      source,
      async run(scene) {
        const settings = { reinvocationPolicy: 'IfNeeded' }
        const again = { name: 'again', type: 'Mutating', settings } as const
        const once = { name: 'once', type: 'Mutating' } as const
        const changes = { name: 'changes', type: 'Mutating', reply: () => setting('y', '2') } as const
        await withWebhooks(scene, [again, once, changes], async (calls) => {
          await scene.post('configmaps', object)
          scene.expect.same(namesOf(calls), ['again', 'once', 'changes', 'again'])
        })
      },
    },
    {
      name: 'a refused delete leaves the object',
      source,
      async run(scene) {
        const reply = ({ operation }: { operation: string }) =>
          operation === 'DELETE' ? refuse(403, 'stays') : {}
        await withWebhooks(scene, [{ name: 'keeps', type: 'Validating', reply }], async () => {
          await scene.make('configmaps', object)
          const { status } = await scene.delete('configmaps/a')
          scene.expect.same(status, 403)
          scene.expect.answer(await scene.get('configmaps/a'), 200)
        })
      },
    },
    {
      name: 'the result of a mutating webhook is validated',
      source,
      async run(scene) {
        const reply = () => setting('no~1key', 'y')
        await withWebhooks(scene, [{ name: 'spoils', type: 'Mutating', reply }], async () => {
          const { status, body } = await scene.post('configmaps', object)
          scene.expect.same(status, 422)
          scene.expect.has(body, { details: { causes: [{ field: 'data[no/key]' }] } })
        })
      },
    },
  ],
}
