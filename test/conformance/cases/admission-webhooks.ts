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
      async run(client) {
        const first = { name: 'first', type: 'Mutating', reply: () => setting('first', 'yes') } as const
        const second = { name: 'second', type: 'Mutating', reply: () => setting('second', 'yes') } as const
        const last = { name: 'last', type: 'Validating' } as const
        await withWebhooks(client, [last, first, second], async (calls) => {
          const answer = await client.post('configmaps', object)
          const data = { x: '1', first: 'yes', second: 'yes' }
          client.expect.answer(answer, 201, { data })
          client.expect.same(namesOf(calls), ['first', 'second', 'last'])
          client.expect.same(calls.at(-1)?.request.object?.data, data)
        })
      },
    },
    {
      name: 'a validating webhook refuses with its own code and message',
      source,
      async run(client) {
        const reply = () => refuse(422, 'not like this')
        await withWebhooks(client, [{ name: 'no', type: 'Validating', reply }], async () => {
          const name = `no.${client.namespace}.example.com`
          const { status, body } = await client.post('configmaps', object)
          client.expect.same(status, 422)
          client.expect.has(body, {
            message: `admission webhook "${name}" denied the request: not like this`,
          })
          client.expect.answer(await client.get('configmaps/a'), 404)
        })
      },
    },
    {
      name: 'the warnings of a webhook reach the client',
      source,
      async run(client) {
        const reply = () => ({ warnings: ['take care'] })
        await withWebhooks(client, [{ name: 'warns', type: 'Validating', reply }], async () => {
          const { headers } = await client.post('configmaps', object)
          client.expect.same(headers.warning, '299 - "take care"')
        })
      },
    },
    {
      name: 'warnings are sent as UTF-8, and one with a control character is left out',
      source: 'k8s.io/apimachinery pkg/util/net/http.go @ v0.36.3, NewWarningHeader',
      async run(client) {
        const texts = [
          'caf\u00e9 \u2713 \u{1f600}',
          'two\nlines',
          'bell\u0007',
          'next\u0085line',
          '',
          'a "quote" \\',
          'last',
        ]
        const reply = () => ({ warnings: texts })
        await withWebhooks(client, [{ name: 'warns', type: 'Validating', reply }], async () => {
          const answer = await client.post('configmaps', object)
          client.expect.answer(answer, 201)
          const sent = Buffer.from(answer.headers.warning ?? '', 'latin1').toString('utf8')
          client.expect.same(
            sent,
            '299 - "caf\u00e9 \u2713 \u{1f600}", 299 - "a \\"quote\\" \\\\", 299 - "last"',
          )
        })
      },
    },
    {
      name: 'long warnings are cut when all of them have more than 4096 characters',
      source: 'k8s.io/apiserver pkg/endpoints/filters/warning.go @ v0.36.3',
      async run(client) {
        const texts = Array.from({ length: 30 }, (_, at) => `${at} ${'\u00e9'.repeat(300)}`)
        const reply = () => ({ warnings: texts })
        await withWebhooks(client, [{ name: 'warns', type: 'Validating', reply }], async () => {
          const { headers } = await client.post('configmaps', object)
          const sent = Buffer.from(headers.warning ?? '', 'latin1').toString('utf8')
          const cut = texts.slice(0, 16).map((text) => `299 - "${text.slice(0, 256)}"`)
          client.expect.same(sent.split(', '), cut)
        })
      },
    },
    {
      name: 'a webhook that fails refuses or is ignored, by its failure policy',
      source,
      async run(client) {
        const reply = () => Promise.reject(new Error('broken'))
        const ignored = {
          name: 'ignored',
          type: 'Validating',
          reply,
          settings: { failurePolicy: 'Ignore' },
        } as const
        await withWebhooks(client, [ignored], async () => {
          client.expect.answer(await client.post('configmaps', object), 201)
        })
        await withWebhooks(client, [{ ...ignored, name: 'fatal', settings: {} }], async () => {
          const { status, body } = await client.post('configmaps', { metadata: { name: 'b' } })
          client.expect.same(status, 500)
          client.expect.has(body, { reason: 'InternalError', message: /failed calling webhook "fatal\./ })
        })
      },
    },
    {
      name: 'a webhook that is slower than its timeout fails',
      source,
      async run(client) {
        const reply = () => new Promise<object>((resolve) => setTimeout(resolve, 3000, {}))
        const slow = { name: 'slow', type: 'Validating', reply, settings: { timeoutSeconds: 1 } } as const
        await withWebhooks(client, [slow], async () => {
          const { status, body } = await client.post('configmaps', object)
          client.expect.same(status, 500)
          client.expect.has(body, { message: /context deadline exceeded$/ })
        })
      },
    },
    {
      name: 'conditions and selectors decide whether a webhook is called',
      source,
      async run(client) {
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
        await withWebhooks(client, hooks, async (calls) => {
          client.expect.answer(await client.post('configmaps', object), 201)
          client.expect.same(namesOf(calls), ['met'])
          await client.patch('configmaps/a', 'merge', { metadata: { labels: { call: 'me' } } })
          client.expect.same(namesOf(calls).sort(), ['labelled', 'met', 'met'])
        })
      },
    },
    {
      name: 'a webhook gets the object before and after, and whether the call is a dry run',
      source,
      async run(client) {
        await withWebhooks(client, [{ name: 'sees', type: 'Validating' }], async (calls) => {
          await client.post('configmaps?dryRun=All', object)
          await client.post('configmaps', object)
          await client.patch('configmaps/a', 'merge', { data: { x: '2' } })
          await client.delete('configmaps/a')
          const seen = calls.map(({ request }) => [
            request.operation,
            request.dryRun,
            request.oldObject?.data?.x,
            request.object?.data?.x,
          ])
          client.expect.same(seen, [
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
      async run(client) {
        const settings = { reinvocationPolicy: 'IfNeeded' }
        const again = { name: 'again', type: 'Mutating', settings } as const
        const once = { name: 'once', type: 'Mutating' } as const
        const changes = { name: 'changes', type: 'Mutating', reply: () => setting('y', '2') } as const
        await withWebhooks(client, [again, once, changes], async (calls) => {
          await client.post('configmaps', object)
          client.expect.same(namesOf(calls), ['again', 'once', 'changes', 'again'])
        })
      },
    },
    {
      name: 'a refused delete leaves the object',
      source,
      async run(client) {
        const reply = ({ operation }: { operation: string }) =>
          operation === 'DELETE' ? refuse(403, 'stays') : {}
        await withWebhooks(client, [{ name: 'keeps', type: 'Validating', reply }], async () => {
          await client.make('configmaps', object)
          const { status } = await client.delete('configmaps/a')
          client.expect.same(status, 403)
          client.expect.answer(await client.get('configmaps/a'), 200)
        })
      },
    },
    {
      name: 'the result of a mutating webhook is validated',
      source,
      async run(client) {
        const reply = () => setting('no~1key', 'y')
        await withWebhooks(client, [{ name: 'spoils', type: 'Mutating', reply }], async () => {
          const { status, body } = await client.post('configmaps', object)
          client.expect.same(status, 422)
          client.expect.has(body, { details: { causes: [{ field: 'data[no/key]' }] } })
        })
      },
    },
  ],
}
