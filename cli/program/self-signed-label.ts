/** The label of Secrets that `manifest --self-signed` prints, so that `doctor` knows that nothing renews them. */
export const selfSignedLabel = { 'app.kubernetes.io/managed-by': 'vcluster-plugin' } as const
