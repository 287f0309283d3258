/*
 * What is charged and rented by nobody, and whoever would be refused, or wait, because of it: src/PixelPool/Budgets/MemoryBudget.cs, TryAfterRecall and BeginRecall,
 * Accounts/MemoryAccounts.cs, ReadCharge, AccountStripe.cs, ChargedIdleUses, Pooling/ThreadCaches.cs, PutBack, and what changes these: ThreadCache.cs, TransferCache.cs, DepotStripe.cs.
 *
 * Two threads with a place of their own each, where they keep what they returned, a place through which they pass it on, and one request. Pieces of memory are as large as what is asked for, and the budget
 * is for two. A thread rents what it keeps, returns, passes on, fetches, trims, and charges the budget for more, OPERATIONS times, and returns all that it has then. The places are looked at in any order, each
 * time in the same. The request is refused; with WAITS it gets in line, and threads may keep what they have for good.
 *
 * A place is a stripe with credit as well as a cache with blocks or arrays: all count a use, and have less then. What is read while all are stopped is one step: nobody else is inside. Stores are seen in the
 * order of the code: a use is counted by a store before that of what is left, which is one with release.
 *
 * What must hold: whoever is refused would not have fit, at some moment since it asked; whoever waits, when nothing happens any more, does not fit; the budget is never exceeded.
 *
 * holds: OPERATIONS=3 | OPERATIONS=3 WAITS
 * fails: OPERATIONS=3 WITHOUT_SECOND_LOOK => assertion violated
 * fails: OPERATIONS=3 WITHOUT_USES => assertion violated
 * fails: OPERATIONS=3 COUNT_AFTERWARDS => assertion violated
 * fails: OPERATIONS=3 MOVE_DURING_LOOK => assertion violated
 * fails: OPERATIONS=3 KEEP_DURING_RECALL => assertion violated
 * fails: OPERATIONS=3 FETCH_DURING_RECALL => assertion violated
 * fails: OPERATIONS=3 WITHOUT_PAUSE => assertion violated
 * fails: OPERATIONS=3 CHARGE_BESIDE_TRIM => assertion violated
 * fails: OPERATIONS=3 WAITS FETCH_DURING_RECALL => assertion violated
 * fails: OPERATIONS=3 WAITS KEEP_DURING_RECALL => assertion violated
 * fails: OPERATIONS=3 WAITS WITHOUT_PAUSE => assertion violated
 * fails: OPERATIONS=3 WAITS TRIM_WITHOUT_WAKING => assertion violated
 */
#define LIMIT 2
#define PLACES 3

/* The places: those of the threads, and TransferCache. */
#define PASSED 2

/* MemoryBudget._state: the charge; CreditRecall; whether somebody holds the lock of the recall. */
byte charged = 2;
bit isRecalled, isHeld;

/* MemoryBudget: the bit that says that somebody waits. */
bit isWaiting;

/* AccountStripe.ChargedIdleBytes and ChargedIdleUses, and whether the owner, or whoever has the lock, is inside. */
byte idle[PLACES], uses[PLACES];
bit isInside[PLACES];

/* For the properties: what is charged and somebody rents, and whether the request did not fit at any moment. */
byte rented = 1;
bit isAsking, wasFull;

/* Inside of an atomic sequence. */
inline note()
{
	assert(charged <= LIMIT && rented <= LIMIT);
	if
	:: isAsking && rented + 1 > LIMIT -> wasFull = 1
	:: else
	fi
}

/* MemoryBudget.Serve: under the lock of the line. Nothing where nobody waits. */
inline serve()
{
	atomic {
		if
		:: isWaiting && charged < LIMIT -> isWaiting = 0; charged++; rented++; note()
		:: else
		fi
	}
}

/* ThreadCache.TryRent; DepotStripe.TryRent with credit. It is rented from when it is counted. The caller is inside. */
inline rent(place)
{
#ifdef COUNT_AFTERWARDS
	idle[place]--;
#endif
	atomic { uses[place]++; rented++; mine++; note() }
#ifndef COUNT_AFTERWARDS
	idle[place]--;
#endif
	isInside[place] = 0
}

/* ThreadCache.TryCache: TryPush, which looks, and keeps then. During a recall the charge ends instead. The caller is inside. */
inline giveBack(place)
{
#ifdef KEEP_DURING_RECALL
	keeps = 1;
#else
	keeps = !isRecalled;
#endif
	atomic {
		rented--;
		mine--;
		if
		:: keeps -> idle[place]++
		:: else -> charged--
		fi;
		isInside[place] = 0
	}
	if
	:: keeps -> keeps = 0
	:: else -> serve()
	fi
}

/* ThreadCache.TryPassOn and Fetch, with Magazines.MoveFirst. The caller is inside of both. */
inline move(from, to)
{
	idle[to]++;
	idle[from]--;
	atomic { isInside[from] = 0; isInside[to] = 0 }
}

proctype Thread(byte own; byte mine)
{
	byte operations;
	bit keeps;

	do
	:: operations < OPERATIONS ->
		operations++;
		if
		:: atomic { idle[own] > 0 && !isInside[own] -> isInside[own] = 1 } rent(own)
		:: atomic { mine > 0 && !isInside[own] -> isInside[own] = 1 } giveBack(own)
		:: atomic { idle[own] > 0 && !isInside[own] && !isInside[PASSED] -> isInside[own] = 1; isInside[PASSED] = 1 } move(own, PASSED)
		:: atomic { idle[PASSED] > 0 && !isInside[own] && !isInside[PASSED] -> isInside[own] = 1; isInside[PASSED] = 1 }
			if
#ifndef FETCH_DURING_RECALL
			:: isRecalled -> atomic { isInside[own] = 0; isInside[PASSED] = 0 }
			:: !isRecalled ->
#else
			:: true ->
#endif
				move(PASSED, own)
			fi

		/* A miss: MemoryBudget.TryAdd. */
		:: atomic { charged < LIMIT && !isWaiting -> charged++; rented++; mine++; note() }

		/* A trim, under the lock of the recall: ThreadCaches.TakeSmall. Its charge ends afterwards: IdleHold. */
		:: atomic { !isHeld && !isInside[own] && idle[own] > 0 -> isHeld = 1; idle[own]-- }
			atomic { charged--; isHeld = 0 }
#ifndef TRIM_WITHOUT_WAKING
			serve()
#endif
		:: true
		fi
	:: true -> break
	od;
	do
	:: mine > 0 ->
		atomic { !isInside[own] -> isInside[own] = 1 }
		giveBack(own)
	:: else -> break
#ifdef WAITS
	/* It is kept for good. */
	:: true -> break
#endif
	od
}

/* MemoryAccounts.SeesNoChargedIdle: one look. */
inline look(total)
{
	place = 0;
	total = 0;
	do
	:: place < PLACES ->
		seesAny = seesAny || idle[order[place]] > 0;
		total = total + uses[order[place]];
		place++
	:: else -> break
	od;
	place = 0
}

/* MemoryBudget.TryCharge: TryAfterRecall */
proctype Request()
{
	byte order[PLACES], place, before, after, seen;
	bit seesAny, isCharged;

	if
	:: order[0] = 0; order[1] = 1; order[2] = PASSED
	:: order[0] = 0; order[1] = PASSED; order[2] = 1
	:: order[0] = 1; order[1] = 0; order[2] = PASSED
	:: order[0] = 1; order[1] = PASSED; order[2] = 0
	:: order[0] = PASSED; order[1] = 0; order[2] = 1
	:: order[0] = PASSED; order[1] = 1; order[2] = 0
	fi;
	atomic { isAsking = 1; note() }
	atomic {
		if
		:: charged < LIMIT -> charged++; rented++; isCharged = 1; note()
		:: else
		fi
	}
	if
	:: !isCharged ->
		atomic { !isHeld -> isHeld = 1 }

		/* MemoryAccounts.ReadCharge: meanwhile nothing is passed on. */
#ifndef MOVE_DURING_LOOK
		atomic { !isInside[PASSED] -> isInside[PASSED] = 1 }
#endif
		look(before);
		seen = charged;
#ifndef WITHOUT_SECOND_LOOK
		look(after);
#ifdef WITHOUT_USES
		after = before;
#endif
#else
		after = before;
#endif
#ifndef MOVE_DURING_LOOK
		isInside[PASSED] = 0;
#endif
		if
		:: seesAny || after != before ->
			atomic { !isInside[0] && !isInside[1] && !isInside[PASSED] -> seen = charged - idle[0] - idle[1] - idle[PASSED] }
		:: else
		fi;
		if
#ifdef WAITS
		:: true ->
#else
		:: seen < LIMIT ->
#endif
			isRecalled = 1;

			/* TakeCredit of all: whoever was inside has left. */
#ifndef WITHOUT_PAUSE
			do
			:: place < PLACES -> !isInside[order[place]]; place++
			:: else -> break
			od;
			place = 0;
#endif
			isHeld = 0;

			/* PutBack, of one after the other. */
			do
			:: place < PLACES ->
				if
				:: idle[place] > 0 -> atomic { !isHeld && !isInside[place] -> charged = charged - idle[place]; idle[place] = 0 }
				:: else
				fi;
				place++
			:: else -> break
			od;
#ifdef WAITS
			/* MemoryBudget.Join, and whoever ends a charge. The recall goes on until it is let in. */
			isWaiting = 1;
			serve();
			if
			:: atomic { !isWaiting -> isCharged = 1 }
			:: atomic { timeout -> wasFull = rented + 1 > LIMIT }
			fi;
#else
			atomic {
#ifndef CHARGE_BESIDE_TRIM
				!isHeld ->
#endif
				if
				:: charged < LIMIT -> charged++; rented++; isCharged = 1; note()
				:: else
				fi
			}
#endif
			isRecalled = 0
		:: else -> isHeld = 0
		fi
	:: else
	fi;
	assert(isCharged || wasFull)
}

init {
	atomic {
		idle[1] = 1;
		run Thread(0, 1);
		run Thread(1, 0);
		run Request()
	}
}
