import { useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Moment } from "../../components/moment.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import { api, asFault, callApi, getWorkspaceHeader, type Schemas } from "../../data/calls.ts";
import { resources, useResource } from "../../data/resources.ts";
import { person, signOut } from "../../session/session.ts";
import { PasskeysSetting } from "./passkeys-setting.tsx";
import settingCss from "./setting.module.css";
import { SectionHead } from "./setting.tsx";

type Session = Schemas["Session"];
const KEY = "sessions";

/** Sessions section: the person's passkeys, and where they are signed in, with buttons to end sessions. */
export function SessionsSection() {
  const [isAsking, setAsking] = useState(false);
  const { value, fault, reload } = useResource<Session[]>(KEY, async () => {
    return (await callApi(api.GET("/v1/sessions", { params: { header: getWorkspaceHeader() } }))).data;
  });
  const others = value?.filter(({ is_current }) => !is_current) ?? [];
  const endOthers = async () => {
    for (const { id } of others) await endSession(id);
    setAsking(false);
    showToast("Signed out of all other sessions");
  };
  const end = async ({ id, user_agent }: Session) => {
    try {
      await endSession(id);
      showToast(`Signed out of ${user_agent}`);
    } catch (thrown) {
      showToast(asFault(thrown).message);
    }
  };
  return (
    <div class="stack wide">
      <PasskeysSetting />
      <section class="stack">
        <SectionHead
          title="Active sessions"
          text={
            <>
              Sessions for {person.value?.email} in all your workspaces. A session ends after 14 days of
              inactivity, or after 30 days at the latest.
            </>
          }
          action={
            others.length > 0 && (
              <Button icon="sign-out" onClick={() => setAsking(true)}>
                Sign out everywhere else
              </Button>
            )
          }
        />
        {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
        <ul
          class={settingCss.cardList}
          aria-busy={value === undefined && fault === null ? "true" : undefined}
        >
          {value === undefined && fault === null && (
            <li>
              <Skeleton width="w-5" />
            </li>
          )}
          {[...(value ?? [])]
            .sort((a, b) => Number(b.is_current) - Number(a.is_current))
            .map((session) => (
              <li key={session.id}>
                <SessionLine session={session} onEnd={() => void end(session)} />
              </li>
            ))}
        </ul>
        {isAsking && (
          <ConfirmDialog
            title={`Sign out of ${formatCount(others.length, "other session")}?`}
            confirm="Sign out everywhere else"
            onConfirm={endOthers}
            onClose={() => setAsking(false)}
          >
            <p class="small">You'll have to sign in again on those devices. You stay signed in here.</p>
          </ConfirmDialog>
        )}
      </section>
    </div>
  );
}

function SessionLine({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { user_agent, is_current, created_at, last_seen_at } = session;
  return (
    <>
      <Icon name="monitor" />
      <div class="grow">
        <span class="row wrap">
          <b>{user_agent}</b>
          {is_current && <Badge tone="good">This device</Badge>}
        </span>
        <span class="small muted">
          Signed in <Moment iso={created_at} isExact /> ·{" "}
          {is_current ? "active now" : <LastSeen iso={last_seen_at} />}
        </span>
      </div>
      {is_current ? (
        <Button size="s" onClick={() => void signOut()}>
          Sign out
        </Button>
      ) : (
        <Button size="s" aria-label={`Sign out of ${user_agent}`} onClick={onEnd}>
          Sign out{" "}
        </Button>
      )}
    </>
  );
}

/** The API only stores the day of the last use, so no time is shown. */
function LastSeen({ iso }: { iso: string }) {
  return <>last seen {new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "long" })}</>;
}

async function endSession(id: string): Promise<void> {
  const undo = resources.change<Session[]>(KEY, (sessions) => sessions.filter((other) => other.id !== id));
  try {
    const params = { path: { session_id: id }, header: getWorkspaceHeader() };
    await callApi(api.DELETE("/v1/sessions/{session_id}", { params }));
  } catch (fault) {
    undo();
    throw fault;
  }
}
