import t from 'tap'
import { createApiServer } from '../api-server.js'

const classes = '/apis/scheduling.k8s.io/v1/priorityclasses'

void t.test('one PriorityClass is for pods that name none', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const send = async (method: string, path: string, body: object) => {
    const headers = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    }
    const answer = await server.handle({ method, path, headers, body: JSON.stringify(body) })
    return JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8')) as Record<string, unknown>
  }
  const metadata = { name: 'usual' }
  await send('POST', classes, { metadata, value: 5, preemptionPolicy: 'Never', globalDefault: true })

  const second = await send('POST', classes, { metadata: { name: 'b' }, value: 1, globalDefault: true })
  const why = 'PriorityClass usual is already marked as default. Only one default can exist'
  t.match(second, { code: 403, message: `priorityclasses.scheduling.k8s.io "b" is forbidden: ${why}` })

  await send('POST', classes, { metadata: { name: 'b' }, value: 1 })
  t.match(await send('PATCH', `${classes}/b`, { globalDefault: true }), { code: 403 })
  t.match(await send('PATCH', `${classes}/usual`, { description: 'd' }), { globalDefault: true })

  const spec = { containers: [{ name: 'c', image: 'i' }] }
  const pod = await send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'a' }, spec })
  t.match(pod, { spec: { priorityClassName: 'usual', priority: 5, preemptionPolicy: 'Never' } })
})
