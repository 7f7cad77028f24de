import type { CityResponse, Reader } from "mmdb-lib";
import type { Geo } from "../routing/geo.ts";

/** Countries and regions of addresses, from a file in the format of MaxMind (`.mmdb`) that the machine's operator has. */

let reader: Reader<CityResponse> | null = null;

/** Replaces the file in memory. Returns a text about it. Throws if it can't be read. */
export async function replaceGeoFile(bytes: ArrayBuffer): Promise<string> {
  // Needs the flag `nodejs_compat`, because it uses `Buffer`.
  const { Reader } = await import("mmdb-lib");
  const next = new Reader<CityResponse>(Buffer.from(bytes));
  const { databaseType, buildEpoch } = next.metadata;
  reader = next;
  return `${databaseType} of ${buildEpoch.toISOString().slice(0, 10)}`;
}

/** Returns where an address is. Empty without a file, and for an unknown address. */
export function locate(address: string): Geo {
  try {
    const { country, continent, subdivisions } = reader?.get(address) ?? {};
    return {
      country: country?.iso_code,
      continent: continent?.code,
      regionCode: subdivisions?.[0]?.iso_code,
    };
  } catch {
    // A damaged record must not fail a visit.
    return {};
  }
}
