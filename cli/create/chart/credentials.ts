/** A user of a chart repository or a registry. */
export interface ChartCredentials {
  readonly username: string
  readonly password: string
}

/** The user that the environment names; flags would show the password to other users of the machine. */
export function credentialsOf(
  env: Readonly<Record<string, string | undefined>>,
): ChartCredentials | undefined {
  const { CHART_USERNAME: username, CHART_PASSWORD: password } = env
  return username && password ? { username, password } : undefined
}

/** The header `Authorization` of a user. */
export const basicHeader = ({ username, password }: ChartCredentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
