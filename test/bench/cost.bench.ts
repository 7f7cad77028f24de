import { measureGrowth } from "./support/cost-growth.ts";
import { measureShapes } from "./support/cost-shapes.ts";
import { withLocalD1 } from "./support/local-d1.ts";

export default async function run(): Promise<void> {
  await withLocalD1(async (d1) => {
    if (!process.env.ONLY_GROWTH) await measureShapes(d1);
  });
  await withLocalD1(async (d1, findFile) => {
    console.log(await measureGrowth(d1, findFile));
  });
}
