import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { type CustomResourceDefinition, events, secrets } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Condition, Greeting } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { ReleaseStore } from '../../sdk/helm/release/release-store.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { impersonate } from '../../testing/operator/declared-permissions.js'
import { openControlPlane } from '../real/open-control-plane.js'
import { until } from '../until.js'
import { neverCollects } from './charts.js'

/** A real control plane with an operator, and what tests ask them. */
export class RealControlPlane {
  readonly client: Client
  /** Makes a client of another user. */
  readonly clientAs: (user: string) => Client
  readonly #kubeconfigFile: string
  readonly #home: string

  constructor(transport: Transport, { kubeconfigFile, home }: { kubeconfigFile: string; home: string }) {
    this.client = createClient({ transport })
    this.clientAs = (user) => createClient({ transport: impersonate(transport, user) })
    this.#kubeconfigFile = kubeconfigFile
    this.#home = home
  }

  /** An object; nothing if there is none. */
  get<T extends KubeObject>(resource: Resource<T>, namespace: string, name: string): Promise<T | undefined> {
    return this.client.get(resource, { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
  }

  /** The revisions of a release with their statuses. */
  async history(namespace: string, name: string): Promise<string[]> {
    const revisions = await new ReleaseStore(this.client, Date.now).revisions(namespace, name)
    return revisions.map(({ release }) => `${release.version} ${release.info.status}`)
  }

  /** Waits until the newest revision is this one, such as `2 deployed`. */
  async reach(last: string, { namespace, name }: { namespace: string; name: string }): Promise<void> {
    // The records may have megabytes, which need not be read before their labels say so.
    await until(async () => (await this.#labelled(namespace, name)) === last)
    await until(async () => (await this.history(namespace, name)).at(-1) === last)
  }

  /** The newest revision and its status, by the labels of its record. */
  async #labelled(namespace: string, name: string): Promise<string> {
    const labelSelector = `owner=helm,name=${name}`
    const { items } = await this.client.list(secrets, { namespace, labelSelector, metadataOnly: true })
    const labels = items.map(({ metadata }) => metadata.labels ?? {})
    const last = labels.sort((a, b) => Number(a.version) - Number(b.version)).at(-1)
    return `${last?.version} ${last?.status}`
  }

  /** A condition of a custom resource. */
  async condition(kind: Resource<Greeting>, name: string, type: string): Promise<Condition | undefined> {
    const found = await this.get(kind, 'default', name)
    return found?.status?.conditions?.find((one) => one.type === type)
  }

  /** The messages of the Events with a reason. */
  async told(reason: string): Promise<string[]> {
    const { items } = await this.client.list(events, { namespace: 'default' })
    return items.filter((event) => event.reason === reason).map(({ message = '' }) => message)
  }

  /** Runs helm in a namespace. */
  async helm(program: string, namespace: string, ...args: readonly string[]): Promise<string> {
    const env = {
      ...neverCollects,
      HOME: this.#home,
      KUBECONFIG: this.#kubeconfigFile,
      HELM_NAMESPACE: namespace,
    }
    return (await promisify(execFile)(program, [...args], { env })).stdout
  }
}

/** Options of {@link startRealControlPlane}. */
export interface RealControlPlaneOptions {
  readonly definitions: readonly CustomResourceDefinition[]
  readonly register: (operator: Operator) => Promise<void>
}

/** Starts a control plane with a kube-controller-manager, and an operator for it. Both end with the test. */
export async function startRealControlPlane(
  t: Test,
  { definitions, register }: RealControlPlaneOptions,
): Promise<RealControlPlane> {
  const { transport, cluster, startOperator } = await openControlPlane(t, definitions)
  await startOperator({ name: 'greeter', register })
  return new RealControlPlane(transport, { kubeconfigFile: cluster.kubeconfigFile, home: t.testdirName })
}
