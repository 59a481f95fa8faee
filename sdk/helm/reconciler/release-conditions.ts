/** The conditions that each custom resource with a release has. */
export const releaseConditions: readonly string[] = [
  'Deployed',
  'ReleaseFailed',
  'Irreconcilable',
  'Progressing',
]
