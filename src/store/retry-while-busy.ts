import type { Driver } from "./driver.ts";
import { isBusy } from "./faults.ts";

/**
 * Retries while the database is busy: two processes that create the same home at once collide when switching to the
 * write-ahead log.
 */
export async function retryWhileBusy(driver: Driver, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === 20) throw error;
      driver.reconnect();
      await new Promise((resolve) => setTimeout(resolve, 25 * attempt));
    }
  }
}
