// The two Pods that copy a volume, and the Secrets with the key that they share.
import type { Pod, Secret } from '../../engine/kube/builtin.js'
import type { Key } from '../../engine/kube/key.js'
import { copierCode } from '../copier/gen/copier-code.js'

/** The label with the UID of the fork on its Pods and Secrets. */
export const forkLabel = 'forkspacer.com/fork'
/** The port of the Pod at the source. */
const copyPort = 7070

/** The folder at which both containers mount the volume. */
const folder = '/data'

/** One of the two Pods. */
export interface CopyPod {
  readonly role: 'serve' | 'fetch'
  /** The names of the Pod and of its Secret. */
  readonly key: Key
  /** The name of the volume claim. */
  readonly claim: string
  /** The UID of the fork. */
  readonly fork: string
  readonly image: string
  readonly timeoutSeconds: number
  /** The address of the Pod at the source. */
  readonly host?: string | undefined
}

/** A Pod that copies a volume. It runs as root, with only the capabilities to read and write the files of any user. */
export function copyPod(options: CopyPod): Pod {
  const { role, key, claim, fork, timeoutSeconds } = options
  const isSource = role === 'serve'
  return {
    metadata: { ...key, labels: { [forkLabel]: fork } },
    spec: {
      restartPolicy: 'Never',
      activeDeadlineSeconds: timeoutSeconds,
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [copyContainer(options)],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim, readOnly: isSource } }],
    },
  }
}

type Container = NonNullable<Pod['spec']>['containers'][number]

/** The container that runs the copier; environment variables say which role it has. */
function copyContainer({ role, key, image, host = '' }: CopyPod): Container {
  const isSource = role === 'serve'
  const valueFrom = { secretKeyRef: { name: key.name, key: 'key' } }
  return {
    name: 'copy',
    image,
    command: ['node', '--input-type=module', '-e', copierCode],
    env: [
      { name: 'COPY_ROLE', value: role },
      { name: 'COPY_HOST', value: host },
      { name: 'COPY_PORT', value: String(copyPort) },
      { name: 'COPY_FOLDER', value: folder },
      { name: 'COPY_KEY', valueFrom },
    ],
    ...(isSource && {
      ports: [{ containerPort: copyPort }],
      readinessProbe: { tcpSocket: { port: copyPort }, periodSeconds: 1 },
    }),
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'] },
    },
    volumeMounts: [{ name: 'data', mountPath: folder, readOnly: isSource }],
  }
}

/** The Secret with the key, as base64. */
export const keySecret = ({ key, fork }: Pick<CopyPod, 'key' | 'fork'>, value: string): Secret => ({
  metadata: { ...key, labels: { [forkLabel]: fork } },
  data: { key: value },
})
