import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Admission, WebhookKind } from './admission.js'

/** Options of the webhooks of an operator. */
export interface WebhookOptions {
  /** The kinds whose `default`, `validate` and conversions are served. */
  kinds: readonly (WebhookKind | Admission | Resource)[]
  /** The port; default 9443. */
  port?: number
  /** The address to listen on; default all. */
  host?: string
  /** The kinds whose caches `validate` reads, in addition to those that controllers watch; default none. */
  reads?: readonly Resource<KubeObject>[]
  /**
   * The source of the certificate: the folder with `tls.crt` and `tls.key`, or `selfSigned`. With `selfSigned` the
   * leader makes the certificate, keeps it in a Secret, and writes the webhook configurations and the conversion of the
   * definitions. Default the folder `/tmp/k8s-webhook-server/serving-certs`.
   */
  certificate?: { folder: string } | 'selfSigned'
  /**
   * The Service in front of the webhooks, in the namespace of the operator; for `selfSigned`. Default
   * `<operator>-webhook`.
   */
  service?: string
  /** The address of the webhooks in place of a Service; for `selfSigned`. */
  url?: string
  /** The Secret of `selfSigned`, in the namespace of the operator; default `<operator>-webhook-certificate`. */
  secret?: string
  /** The service account of the operator, whose requests the webhooks skip; default the name of the operator. */
  serviceAccount?: string
}

/** Options for tests only. */
export interface InternalWebhookOptions extends WebhookOptions {
  drainMs?: number
  /** The life of a certificate; default 90 days. */
  lifeMs?: number
  /** How long API servers may take to learn new authorities, before a certificate of them is served; default 30 s. */
  settleMs?: number
}
