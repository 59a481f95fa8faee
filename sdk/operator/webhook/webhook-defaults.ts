/** The folder in which controller-runtime and cert-manager's examples expect the files of the certificate. */
export const defaultFolder = '/tmp/k8s-webhook-server/serving-certs'

/** The port that webhooks listen on. */
export const defaultPort = 9443
