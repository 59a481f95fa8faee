import t from 'tap'
import { silentLogger } from '../../observe/logger.js'
import { PluginRuntime } from '../plugin.js'
import { addSidecar, type WithPodSpec } from './sidecar.js'

const sidecar = { name: 'archive', image: 'example.org/archive:1' }
const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
const mount = { name: 'plugins', mountPath: '/plugins' }
const pluginOf = () =>
  new PluginRuntime({ name: 'a.example.org', version: '1', logger: silentLogger, env: {}, args: [] })

void t.test('in instances only postgres gets the folder of sockets', async (t) => {
  const pod: WithPodSpec = { spec: { containers: [{ name: 'postgres' }, { name: 'exporter' }] } }
  addSidecar(pod, sidecar)
  addSidecar(pod, sidecar)
  t.same(pod.spec, {
    containers: [{ name: 'postgres', volumeMounts: [mount] }, { name: 'exporter' }],
    initContainers: [
      { ...sidecar, securityContext: restricted, restartPolicy: 'Always', volumeMounts: [mount] },
    ],
    volumes: [{ name: 'plugins', emptyDir: {} }],
  })
})

void t.test('in Jobs, whose container has another name, every container gets it', async (t) => {
  const template: WithPodSpec = { spec: { containers: [{ name: 'full-recovery' }] } }
  addSidecar(template, sidecar)
  t.same(template.spec?.containers, [{ name: 'full-recovery', volumeMounts: [mount] }])
})

void t.test('a security context of its own is left alone', async (t) => {
  const pod: WithPodSpec = { spec: { containers: [] } }
  addSidecar(pod, { ...sidecar, securityContext: { privileged: true } })
  t.same(pod.spec?.initContainers?.[0]?.securityContext, { privileged: true })
})

void t.test('a sidecar that is for no Pod is refused', async (t) => {
  t.throws(() => pluginOf().sidecar(sidecar, { instances: false }), {
    code: 'INVALID_REGISTRATION',
    message: /^the sidecar archive is neither for instances nor for Jobs/,
  })
})
