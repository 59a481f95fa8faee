/** The conditions that each custom resource with a release has. */
export const releaseConditions: readonly string[] = [
  'Initialized',
  'Deployed',
  'ReleaseFailed',
  'Irreconcilable',
  'Progressing',
  'Ready',
]
