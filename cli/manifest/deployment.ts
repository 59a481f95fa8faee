import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { type ManifestPodSpec, type PodOptions, withPodOptions } from './pod-options.js'
import { gracePeriod, podSecurity } from './restricted-pod.js'

/** The labels of the Pods of a Deployment. */
export const podLabels = (name: string) => ({ 'app.kubernetes.io/name': name })

/** Options of {@link deploymentOf}. */
export interface DeploymentOptions {
  /** The name of the Deployment, of its Pods' label and of their service account. */
  name: string
  namespace: string
  replicas: number
  /** The maximum time that the program takes to stop, in milliseconds. */
  stopDeadlineMs: number
  /** The containers, and the other parts of the Pod's spec. */
  pod: ManifestPodSpec & Readonly<Record<string, unknown>>
  /** Additions of the user to the Pods; default none. */
  added?: PodOptions | undefined
}

/**
 * The Deployment of a program, under the restricted Pod Security Standard
 * (https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted).
 */
export function deploymentOf(options: DeploymentOptions): KubeObject {
  const { name, namespace, replicas, stopDeadlineMs, pod, added } = options
  const labels = () => podLabels(name)
  const spec = {
    serviceAccountName: name,
    terminationGracePeriodSeconds: gracePeriod(stopDeadlineMs),
    securityContext: podSecurity(),
    ...withPodOptions(pod, added),
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: labels() },
    ...{
      spec: {
        replicas,
        selector: { matchLabels: labels() },
        template: { metadata: { labels: labels() }, spec },
      },
    },
  }
}
