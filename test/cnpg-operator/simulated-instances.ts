/**
 * Plays what a cluster without nodes lacks: a kubelet that finishes Jobs and starts Pods, and the instance manager of
 * CloudNativePG in these Pods. No Postgres runs.
 */
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import { type CnpgCluster, clusters } from '../../sdk/cnpg/cluster/cluster.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { type Pod, pods, secrets } from '../../sdk/engine/kube/builtin.js'
import { type Job, jobs } from '../../sdk/engine/kube/builtin-workloads.js'
import { keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'

/** The port that the operator reaches instance managers at. */
const statusPort = 8000

/** Plays the kubelet and the instances of one Cluster until it is stopped. */
export class SimulatedInstances {
  /** The Jobs that it has finished, as the API server had them. */
  readonly finished: Job[] = []
  readonly #admin: Client
  readonly #cluster: { namespace: string; name: string }
  /** An address of loopback that no other test uses. */
  readonly #address = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
  #server: Server | undefined
  #turn: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(admin: Client, cluster: { namespace: string; name: string }) {
    this.#admin = admin
    this.#cluster = cluster
  }

  /** Looks at the objects of the Cluster every 100 ms. */
  start(): void {
    this.#timer = setTimeout(() => {
      this.#turn = this.#look().then(() => this.start())
      // A conflict, or an object that is not there yet: it looks again.
      this.#turn = this.#turn.catch(() => this.start())
    }, 100)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#turn
    clearTimeout(this.#timer)
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  async #look(): Promise<void> {
    const { namespace } = this.#cluster
    for (const job of (await this.#admin.list(jobs, { namespace })).items) await this.#finish(job)
    for (const pod of (await this.#admin.list(pods, { namespace })).items) await this.#run(pod)
    await this.#promote(await this.#admin.get(clusters, this.#cluster))
  }

  async #finish(job: Job): Promise<void> {
    if (job.status?.succeeded) return
    const now = new Date().toISOString().replace(/\.\d+Z/, 'Z')
    const condition = (type: string) => ({
      type,
      status: 'True',
      lastProbeTime: now,
      lastTransitionTime: now,
    })
    const conditions = ['SuccessCriteriaMet', 'Complete'].map(condition)
    const status = { startTime: now, completionTime: now, succeeded: 1, conditions }
    await this.#patchStatus(jobs, job, status)
    this.finished.push(job)
  }

  async #run(pod: Pod): Promise<void> {
    const { deletionTimestamp } = pod.metadata
    if (deletionTimestamp) await this.#admin.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 })
    if (deletionTimestamp || pod.status?.podIP) return
    this.#server ??= await this.#serve()
    const conditions = ['Ready', 'ContainersReady', 'Initialized'].map((type) => ({ type, status: 'True' }))
    const containerStatuses = (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      ready: true,
      restartCount: 0,
      containerID: `test://${name}`,
      state: { running: {} },
    }))
    const podIP = this.#address
    await this.#patchStatus(pods, pod, {
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      conditions,
      containerStatuses,
    })
  }

  /** An instance writes that it has become the primary. */
  async #promote({ metadata, status }: CnpgCluster): Promise<void> {
    const currentPrimary = status?.targetPrimary
    if (!currentPrimary || status.currentPrimary === currentPrimary || !this.#server) return
    await this.#patchStatus(clusters, { metadata }, { currentPrimary })
  }

  /** The instance manager. Its certificate is the one that the operator made for the Cluster. */
  async #serve(): Promise<Server> {
    const { namespace, name } = this.#cluster
    const { data = {} } = await this.#admin.get(secrets, { namespace, name: `${name}-server` })
    const [cert, key] = ['tls.crt', 'tls.key'].map((file) => Buffer.from(data[file] ?? '', 'base64'))
    const status = JSON.stringify(instanceStatus())
    const server = createServer({ cert, key }, (_, response) => response.end(status))
    server.listen(statusPort, this.#address)
    await once(server, 'listening')
    return server
  }

  async #patchStatus(resource: Resource, object: KubeObject, status: object): Promise<void> {
    await this.#admin.patch(resource, keyOf(object), {
      type: 'merge',
      subresource: 'status',
      body: { status },
    })
  }
}

/** The answer of a primary that is well. */
function instanceStatus(): object {
  const folder = join(process.env.CNPG_OPERATOR ?? '', 'operator')
  const [program = ''] = readdirSync(folder)
  const executableHash = createHash('sha256')
    .update(readFileSync(join(folder, program)))
    .digest('hex')
  return {
    isPrimary: true,
    systemID: '1',
    currentLsn: '0/1',
    timeLineID: 1,
    sessionID: 'test',
    executableHash,
    instanceArch: program.replace('manager_', ''),
  }
}
