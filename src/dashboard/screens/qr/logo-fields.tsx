import { useEffect, useState } from "preact/hooks";
import { DESIGN_DEFAULTS } from "../../../qr/design.ts";
import { AssetPicker } from "../../components/asset-picker.tsx";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { asFault } from "../../data/calls.ts";
import { isLogo } from "../../uploads/asset-kind.ts";
import { type DesignFieldProps, RangeInput } from "./design-fields.tsx";
import { NUMBER_LIMITS } from "./design-query.ts";
import css from "./logo-fields.module.css";

interface LogoFieldsProps extends DesignFieldProps {
  /** Error that the API returned for the logo, or null. */
  fault: unknown;
  /** Data URI of the logo as the API embeds it. Null if there is none or it isn't loaded. */
  picture: string | null;
}

/** Input that grows by more than this many characters at once counts as pasted. */
const PASTED_MIN_LENGTH = 5;
const LOGO_FIELD = "design.logo_url";

/** Fields for the logo: a file, an upload or a URL. */
export function LogoFields({ design, onChange, fault, picture }: LogoFieldsProps) {
  const { logo_url: address, logo_size: size = DESIGN_DEFAULTS.logo_size, ...plain } = design;
  const [isPicking, setPicking] = useState(false);
  const [typed, setTyped] = useState(address ?? "");
  useEffect(() => setTyped(address ?? ""), [address]);
  const isWrong = typed.trim() !== "" && !URL.canParse(typed.trim());
  const take = (text: string) => {
    const url = text.trim();
    if (url === (address ?? "") || (url !== "" && !URL.canParse(url))) return;
    onChange(url === "" ? plain : { ...design, logo_url: url }, "logo");
  };
  const [min, max] = NUMBER_LIMITS.logo_size;
  const failure = fault === null ? null : asFault(fault);
  return (
    <>
      <div class="row wrap">
        {picture !== null && <img class={css.picture} src={picture} alt="Logo" />}
        <Button icon="image" onClick={() => setPicking(true)}>
          {address === undefined ? "Choose or upload a logo" : "Replace"}
        </Button>
        {address !== undefined && (
          <Button kind="plain" icon="trash" onClick={() => onChange(plain, "logo")}>
            Remove
          </Button>
        )}
      </div>
      <div onChange={() => take(typed)}>
        <TextField
          label="Or enter a URL"
          placeholder="https://example.com/logo.png"
          inputMode="url"
          spellcheck={false}
          value={typed}
          error={
            isWrong
              ? "Enter a full URL that starts with https://."
              : (failure?.fields[LOGO_FIELD] ?? failure?.message)
          }
          onInput={(text) => {
            setTyped(text);
            // A pasted URL is applied immediately, a typed one when the field loses the focus.
            if (text === "" || text.length > typed.length + PASTED_MIN_LENGTH) take(text);
          }}
        />
      </div>
      {address !== undefined && (
        <RangeInput
          label="Logo size"
          value={Math.round(size * 100)}
          min={min * 100}
          max={max * 100}
          text={`${Math.round(size * 100)}% of the code`}
          onInput={(percent) => onChange({ ...design, logo_size: percent / 100 }, "logo size")}
        />
      )}
      {isPicking && (
        <AssetPicker
          title="Choose a logo"
          hint="PNG, JPEG, GIF or WebP, up to 1 MiB"
          accept="image/png,image/jpeg,image/gif,image/webp"
          isAllowed={isLogo}
          onPick={(logo_url) => onChange({ ...design, logo_url }, "logo")}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}
