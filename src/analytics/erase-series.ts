import { eq, inArray } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { scanHours, scanMonthValues, scanSeries, scanValues } from "./analytics.table.ts";

/** Series whose roll-ups one step deletes. */
const SERIES_PER_STEP = 50;

/** Deletes some roll-ups of a deleted workspace, and series without any. Returns 0 if none are left. */
export async function eraseSeries(db: Database, workspaceId: string): Promise<number> {
  const series = await db
    .select({ id: scanSeries.id })
    .from(scanSeries)
    .where(eq(scanSeries.workspaceId, workspaceId))
    .limit(SERIES_PER_STEP);
  if (series.length === 0) return 0;
  const ids = series.map(({ id }) => id);
  const { seriesId, dimension, day, value } = scanValues;
  const months = scanMonthValues;
  const deleted = [
    await deleteSome(db, scanHours, [scanHours.seriesId, scanHours.hour], inArray(scanHours.seriesId, ids)),
    await deleteSome(db, scanValues, [seriesId, dimension, day, value], inArray(seriesId, ids)),
    await deleteSome(
      db,
      months,
      [months.seriesId, months.dimension, months.month, months.value],
      inArray(months.seriesId, ids),
    ),
  ].reduce((sum, count) => sum + count);
  if (deleted > 0) return deleted;
  await db.delete(scanSeries).where(inArray(scanSeries.id, ids));
  return ids.length;
}
