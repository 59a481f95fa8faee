// A manager of Modules as a container, which uses only what Node has: it keeps a Deployment of the size in its
// configuration, by the permissions of its account.
import { timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'

const { MODULE_TOKEN, MODULE_CONFIG, PORT, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env
const { namespace, name, replicas } = JSON.parse(MODULE_CONFIG)
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'
const account = (file) => readFileSync(`${accountFolder}/${file}`, 'utf8')
const all = `/apis/apps/v1/namespaces/${namespace}/deployments`

/** Calls the API server. Resolves with the status. */
const call = (method, path, body) =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${account('token')}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    }
    const host = { host: KUBERNETES_SERVICE_HOST, port: KUBERNETES_SERVICE_PORT, ca: account('ca.crt') }
    const sent = request({ ...host, method, path, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    })
    sent.once('error', reject).end(body && JSON.stringify(body))
  })

const expect = async (statuses, ...args) => {
  const status = await call(...args)
  if (!statuses.includes(status)) throw new Error(`${args[0]} ${args[1]} was answered ${status}`)
}
const scale = (count) => expect([200], 'PATCH', `${all}/${name}`, { spec: { replicas: count } })

const labels = { app: name }
const container = {
  name,
  image: 'docker.io/library/manager:v1',
  command: ['node', '-e', 'setInterval(() => {}, 1e6)'],
}
const deployment = {
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, containers: [container] } },
  },
}

/** The status of a call that succeeded, and what it does. A call may come again. */
const calls = {
  '/install': [201, () => expect([201, 409], 'POST', all, deployment)],
  '/uninstall': [204, () => expect([200, 404], 'DELETE', `${all}/${name}`)],
  '/sleep': [200, () => scale(0)],
  '/resume': [200, () => scale(replicas)],
}

const isOperator = ({ authorization = '' }) => {
  const [given, known] = [authorization, `Bearer ${MODULE_TOKEN}`].map((text) => Buffer.from(text))
  return given.length === known.length && timingSafeEqual(given, known)
}

async function answer({ url, headers, method }, text) {
  if (url === '/health') return [200]
  if (!isOperator(headers)) return [401, 'this token is not that of the operator']
  if (method !== 'POST' || !(url in calls)) return [404]
  const [status, work] = calls[url]
  if (existsSync(accountFolder)) await work()
  else if (url === '/install') return [400, 'the Module asks for no permissions']
  const metaData = { ...JSON.parse(text), last: url }
  return status === 204 ? [204] : [status, JSON.stringify(metaData)]
}

async function serve(incoming, response) {
  let text = ''
  for await (const part of incoming) text += part
  const [status, body] = await answer(incoming, text).catch((error) => [500, error.message])
  response.writeHead(status).end(body)
}

const server = createServer((incoming, response) => {
  void serve(incoming, response)
})
server.listen(Number(PORT))
process.once('SIGTERM', () => process.exit())
