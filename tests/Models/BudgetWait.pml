/*
 * How the wait for a budget ends: src/PixelPool/Budgets, BudgetWait, BudgetWaiter, MemoryBudget.Waiting.cs, PendingWaits, RentScope.Dispose; who goes on then: AwaitedRequest, BudgetRequests.Serve.
 *
 * A scope has a budget of 1 within that of the allocator, which is 2. Somebody holds 1, in the scope or outside of it, and returns it, or never. One request in the scope is awaited and needs 1, another one needs all
 * of the allocator's budget and blocks its thread. Whoever got something returns it. Meanwhile, each at any time or never: the first request is cancelled (CANCEL), told to step back
 * once (STEP_BACK), told that what it was granted is not enough, so that it begins anew, once (BEGIN_ANEW), its scope is disposed (END_SCOPE), the allocator is disposed (DISPOSE), the time of the blocked thread is over, and the blocked thread is interrupted (both: BLOCKED_ENDS).
 *
 * A lock and what is done under it is one step as far as nobody can see a part of it: the word of a budget and the state of a waiter are read and changed without the lock. Those are interlocked
 * or volatile, and none is stored before another one is read, so nothing is reordered here. Not here: which of those in line is next (the first), credit and its recall, small requests that pass.
 *
 * What must hold
 *   - a request ends once: it is granted, or it gives up, whoever comes together;
 *   - no budget is charged with more than its limit, and what is charged ends once: what is left at the end is what is held;
 *   - nobody waits at the end who was ended, nor while there is room for whoever is next;
 *   - one thread at a time goes on with a request, and nobody is forgotten who should.
 *
 * holds: CANCEL STEP_BACK | DISPOSE | BLOCKED_ENDS | BEGIN_ANEW CANCEL | END_SCOPE BEGIN_ANEW
 * fails: WITHOUT_SERVE_IN_JOIN => assertion violated
 * fails: SERVE_BEFORE_MARK => assertion violated
 * fails: WITHOUT_SERVE_IN_RELEASE => assertion violated
 * fails: BLOCKED_ENDS WITHOUT_SERVE_IN_LEAVE => assertion violated
 * fails: CANCEL LEAVE_AFTER_GRANT => assertion violated
 * fails: BLOCKED_ENDS DISPOSE_FORGETS_GRANT => assertion violated
 * fails: CANCEL WITHOUT_LOOK_BETWEEN_LINES => assertion violated
 * fails: DISPOSE ENTER_WHAT_IS_CLOSED => assertion violated
 * fails: STEP_BACK KEEP_WHEN_STEPPING_BACK => assertion violated
 * fails: BEGIN_ANEW KEEP_WHEN_BEGINNING_ANEW => assertion violated
 * fails: END_SCOPE ENTER_WHAT_IS_CLOSED => assertion violated
 * fails: END_SCOPE LOOK_BEFORE_ENTERING => assertion violated
 * fails: END_SCOPE ASK_WHO_WAITS_BEFORE_THE_END => assertion violated
 * fails: BLOCK_WITHOUT_LOOK => assertion violated
 * fails: HAND_OVER_IN_TWO_STEPS => assertion violated
 * fails: GO_ON_TWICE => assertion violated
 */
#define SCOPE 0
#define ALLOCATOR 1
#define NOWHERE 2

#define AWAITED 0
#define BLOCKED 1

/* WaiterState. No pieces are handed to anybody here. */
#define OUT_OF_LINE 0
#define IN_LINE 1
#define GRANTED 2

/* BudgetWaiter._meeting */
#define NOBODY_CAME 0
#define ONE_CAME 1
#define GOES_ON 2

/* MemoryBudget: the word of the state, the lock of the line, and the line. Waiter 0 is none. */
typedef Budget {
	byte charged;
	bit isWaitedFor;
	bit lock;
	byte first, second
};

Budget budgets[2];
byte limits[2] = 0;

/* BudgetWaiter. A request makes one for each line that it joins: that which blocks makes number 1, the other one the others. */
#define WAITERS 8

typedef Waiter {
	byte state;
	byte meeting;
	byte budget;
	byte request;
	bit sleeps;
	bit isQueued
};

Waiter waiters[WAITERS];
byte made = 2;

/* BudgetWait: _waiter, and whether _end is set. PendingWaits: which wait, and whether it is disposed. What is done under its lock is one step. */
byte waiterOf[2];
bit isEnded[2], isPending[2], isClosed;

/* RentPayer.HasEnded. Behind it is an interlocked operation before it is looked whether anybody waits, and behind that another one before this is read. */
bit hasCome;

#define IS_DISPOSED(request) (isClosed || (request == AWAITED && hasCome))

/* For the properties: whether a thread is at work on the request that is awaited, or is to go on with it; which are done; what is held. */
bit isRunning, goesOn, isOver[2];
byte held[2];

#define BYTES(request) (request == AWAITED -> 1 : 2)
#define FIRST_LEVEL(request) (request == AWAITED -> SCOPE : ALLOCATOR)
#define HAS_ROOM_FOR(at, bytes) (budgets[at].charged + (bytes) <= limits[at])

/* BudgetWaiter.Wake. Whoever comes second is alone with the waiter until the thread pool has it. */
inline wake(who)
{
	atomic {
		if
		:: waiters[who].request == BLOCKED -> waiters[who].sleeps = 0
		:: waiters[who].request == AWAITED && waiters[who].meeting == NOBODY_CAME -> waiters[who].meeting = ONE_CAME
		:: waiters[who].request == AWAITED && waiters[who].meeting == ONE_CAME -> waiters[who].isQueued = 1
		fi
	}
}

/* Inside of an atomic sequence, under the lock: MemoryBudget.Remove. */
inline remove(at, who)
{
	if
	:: budgets[at].first == who -> budgets[at].first = budgets[at].second; budgets[at].second = 0
	:: budgets[at].second == who -> budgets[at].second = 0
	fi;
	if
	:: budgets[at].first == 0 -> budgets[at].isWaitedFor = 0
	:: else
	fi
}

/* MemoryBudget.Serve, with TryGrant. */
inline serve(at)
{
	do
	:: true ->
		atomic {
			!budgets[at].lock ->
			next = budgets[at].first;
			if
			:: next != 0 && HAS_ROOM_FOR(at, BYTES(waiters[next].request)) ->
				budgets[at].lock = 1;
				budgets[at].charged = budgets[at].charged + BYTES(waiters[next].request)
			:: else -> next = 0; break
			fi
		}
		atomic {
			assert(waiters[next].state == IN_LINE);
			waiters[next].state = GRANTED;
			remove(at, next);
			budgets[at].lock = 0
		}
		wake(next)
	od
}

/* MemoryBudget.TryLeave, and waking whoever waits. */
inline leave(who)
{
	atomic {
		!budgets[waiters[who].budget].lock ->
		if
#ifdef LEAVE_AFTER_GRANT
		:: waiters[who].state == OUT_OF_LINE -> before = OUT_OF_LINE
#else
		:: waiters[who].state != IN_LINE -> before = OUT_OF_LINE
#endif
		:: else ->
			before = IN_LINE;
			waiters[who].state = OUT_OF_LINE;
			remove(waiters[who].budget, who)
		fi
	}
	if
	:: before == IN_LINE ->
#ifndef WITHOUT_SERVE_IN_LEAVE
		serve(waiters[who].budget);
#endif
		wake(who)
	:: else
	fi;
	before = 0
}

/* BudgetWait.End: the interlocked operation, the read of _waiter, and Leave. */
inline endWait(request)
{
	isEnded[request] = 1;
	ended = waiterOf[request];
	if
	:: ended != 0 -> leave(ended)
	:: else
	fi;
	ended = 0
}

/* MemoryBudget.ReleaseAlone: the bit comes with what the interlocked operation returns. */
inline releaseAlone(at, bytes)
{
	atomic {
		assert(budgets[at].charged >= bytes);
		budgets[at].charged = budgets[at].charged - bytes;
		isSeen = budgets[at].isWaitedFor
	}
#ifndef WITHOUT_SERVE_IN_RELEASE
	if
	:: isSeen -> serve(at)
	:: else
	fi;
#endif
	isSeen = 0
}

/* MemoryBudget.ReleaseUpTo. */
inline releaseUpTo(request, upTo)
{
	charged = FIRST_LEVEL(request);
	do
	:: charged != upTo ->
		releaseAlone(charged, BYTES(request));
		charged++
	:: else -> break
	od;
	charged = 0
}

/* BudgetWait.Dispose, where the request was not granted all. */
inline disposeWait()
{
	if
	:: waiterOf[me] != 0 ->
		leave(waiterOf[me]);
#ifdef DISPOSE_FORGETS_GRANT
		level = waiters[waiterOf[me]].budget
#else
		level = (waiters[waiterOf[me]].state == GRANTED -> waiters[waiterOf[me]].budget + 1 : waiters[waiterOf[me]].budget)
#endif
	:: else
	fi;
	releaseUpTo(me, level);
	isPending[me] = 0
}

/* A request from its beginning until it returns what it got. */
proctype Request(byte me)
{
	byte level, next, before, ended, charged, upTo;
	bit isSeen, waited, staysMine, hasTimeLimit, mayInterrupt, hasBegunAnew, isEndedAtOnce;

	level = FIRST_LEVEL(me);
#ifdef BLOCKED_ENDS
	if
	:: me == BLOCKED -> hasTimeLimit = 1
	:: me == BLOCKED -> mayInterrupt = 1
	:: true
	fi;
#endif

ask:
	/* BudgetWait.Next, called again until it says null. */
	do
	:: level == NOWHERE -> break
	:: level != NOWHERE && waiterOf[me] == 0 ->
		/* TryChargeUpTo the next one: unless others wait for it. */
		atomic {
			if
			:: !budgets[level].isWaitedFor && HAS_ROOM_FOR(level, BYTES(me)) ->
				budgets[level].charged = budgets[level].charged + BYTES(me);
				level++;
				goto again
			:: else
			fi
		}

		/* Join of the wait. PendingWaits.Enter ends at once what comes too late: behind the lock, and here still under it. */
		if
		:: !waited ->
			waited = 1;
#ifdef LOOK_BEFORE_ENTERING
			isEndedAtOnce = IS_DISPOSED(me);
#endif
			isPending[me] = 1;
#ifndef LOOK_BEFORE_ENTERING
			isEndedAtOnce = IS_DISPOSED(me);
#endif
#ifndef ENTER_WHAT_IS_CLOSED
			if
			:: isEndedAtOnce -> isEndedAtOnce = 0; endWait(me)
			:: else
			fi
#endif
		:: else
		fi;
		atomic {
			if
			:: me == BLOCKED -> waiterOf[me] = 1
			:: else -> waiterOf[me] = made; made++
			fi;
			waiters[waiterOf[me]].budget = level;
			waiters[waiterOf[me]].request = me
		}

		/* Join of the budget. */
#ifdef SERVE_BEFORE_MARK
		serve(level);
#endif
		atomic {
			!budgets[level].lock ->
			assert(waiters[waiterOf[me]].state == OUT_OF_LINE);
			if
			:: budgets[level].first == 0 -> budgets[level].first = waiterOf[me]
			:: else -> budgets[level].second = waiterOf[me]
			fi;
			waiters[waiterOf[me]].state = IN_LINE;
			budgets[level].isWaitedFor = 1
		}
#if !defined(WITHOUT_SERVE_IN_JOIN) && !defined(SERVE_BEFORE_MARK)
		serve(level);
#endif

		/* It may have been ended just now, between two lines, or before the first one. */
#ifndef WITHOUT_LOOK_BETWEEN_LINES
		if
		:: isEnded[me] -> leave(waiterOf[me])
		:: else
		fi;
#endif
		skip
	:: waiterOf[me] != 0 && waiters[waiterOf[me]].state == IN_LINE && me == AWAITED ->
		/* AwaitedRequest.Execute: BudgetWaiter.TryHandOver. */
#ifdef HAND_OVER_IN_TWO_STEPS
		before = waiters[waiterOf[me]].meeting;
		atomic {
			waiters[waiterOf[me]].meeting = ONE_CAME;
			staysMine = (before != NOBODY_CAME);
			isRunning = staysMine;
			before = 0
		}
#else
		atomic {
			staysMine = (waiters[waiterOf[me]].meeting != NOBODY_CAME);
			isRunning = staysMine;
			waiters[waiterOf[me]].meeting = ONE_CAME
		}
#endif
		if
		:: staysMine -> staysMine = 0
		:: else ->
endAwaited:
			atomic { goesOn -> goesOn = 0 }
		fi
	:: waiterOf[me] != 0 && waiters[waiterOf[me]].state == IN_LINE && me == BLOCKED ->
		/* BudgetWaiter.Block: under the monitor. BudgetWait.Block ends it when the time is over. */
#ifdef BLOCK_WITHOUT_LOOK
		waiters[waiterOf[me]].sleeps = 1;
#else
		atomic {
			if
			:: waiters[waiterOf[me]].state == IN_LINE -> waiters[waiterOf[me]].sleeps = 1
			:: else
			fi
		}
#endif
endBlocked:
		if
		:: !waiters[waiterOf[me]].sleeps
		:: atomic { hasTimeLimit -> hasTimeLimit = 0; waiters[waiterOf[me]].sleeps = 0 }
			endWait(me)
		:: atomic { mayInterrupt -> mayInterrupt = 0; waiters[waiterOf[me]].sleeps = 0 }
			disposeWait();
			goto over
		fi
	:: waiterOf[me] != 0 && waiters[waiterOf[me]].state == GRANTED ->
		waiterOf[me] = 0;
		level++
	:: waiterOf[me] != 0 && waiters[waiterOf[me]].state == OUT_OF_LINE && isEnded[me] ->
		/* Explain is thrown. */
		disposeWait();
		goto over
	:: waiterOf[me] != 0 && waiters[waiterOf[me]].state == OUT_OF_LINE && !isEnded[me] ->
		/* It steps back. */
		upTo = level;
		waiterOf[me] = 0;
		level = FIRST_LEVEL(me);
#ifndef KEEP_WHEN_STEPPING_BACK
		releaseUpTo(me, upTo);
#endif
		upTo = 0;
again:		skip
	od;

	/* What was granted may not be enough: BeginAnew gives it back. It still is the same wait. */
	skip;
#ifdef BEGIN_ANEW
	if
	:: me == AWAITED && !hasBegunAnew ->
		hasBegunAnew = 1;
		level = FIRST_LEVEL(me);
#ifndef KEEP_WHEN_BEGINNING_ANEW
		releaseUpTo(me, NOWHERE);
#endif
		goto ask
	:: true
	fi;
#endif

	/* The memory is rented; Dispose. Then it is returned. */
	d_step {
		held[ALLOCATOR] = held[ALLOCATOR] + BYTES(me);
		held[SCOPE] = held[SCOPE] + (me == AWAITED -> 1 : 0);
		assert(held[ALLOCATOR] <= 2 && held[SCOPE] <= 1)
	}
	isPending[me] = 0
	d_step {
		held[ALLOCATOR] = held[ALLOCATOR] - BYTES(me);
		held[SCOPE] = held[SCOPE] - (me == AWAITED -> 1 : 0)
	}
	releaseUpTo(me, NOWHERE);
over:
	atomic {
		isOver[me] = 1;
		level = 0;
		waited = 0;
		hasTimeLimit = 0;
		mayInterrupt = 0;
		hasBegunAnew = 0
	}
}

/* Who holds 1, in the scope or outside of it. */
proctype Holder(bit isInScope)
{
	byte next, charged;
	bit isSeen;

	if
	:: true ->
		if
		:: isInScope ->
			d_step { held[ALLOCATOR]--; held[SCOPE]-- }
			releaseUpTo(AWAITED, NOWHERE)
		:: else ->
			held[ALLOCATOR]--;
			releaseAlone(ALLOCATOR, 1)
		fi
	:: true
	fi
}

/* A token is cancelled. */
proctype Cancel()
{
	byte next, before, ended;

	endWait(AWAITED)
}

/* BudgetWait.StepBack: it looks without the gate. */
proctype StepBack()
{
	byte next, before, ended;

end:
	atomic { waiterOf[AWAITED] != 0 -> ended = waiterOf[AWAITED] }
	leave(ended)
}

/* PendingWaits.EndThoseOfDisposed, which takes it out of the list under the lock, and then its end. */
inline takeDisposed(request)
{
	atomic { wasPending = isPending[request]; isPending[request] = 0 }
	if
	:: wasPending -> wasPending = 0; endWait(request)
	:: else
	fi
}

/* PendingWaits.Dispose */
proctype Dispose()
{
	byte next, before, ended;
	bit wasPending;

	isClosed = 1;
	takeDisposed(AWAITED);
	takeDisposed(BLOCKED)
}

/* RentScope.Dispose: PendingWaits.EndThoseOfDisposed, if anybody waits. */
proctype EndScope()
{
	byte next, before, ended;
	bit wasPending;

#ifdef ASK_WHO_WAITS_BEFORE_THE_END
	bit doesAnybody = isPending[AWAITED] || isPending[BLOCKED];
	hasCome = 1;
	if
	:: doesAnybody ->
#else
	hasCome = 1;
	if
	:: isPending[AWAITED] || isPending[BLOCKED] ->
#endif
		takeDisposed(AWAITED)
	:: else
	fi
}

/*
 * The thread pool: BudgetWaiter.Execute. Work may be queued twice, so it is done as often as that is possible.
 */
#ifdef GO_ON_TWICE
#define CAN_GO_ON(who) (waiters[who].isQueued)
#else
#define CAN_GO_ON(who) (waiters[who].isQueued && waiters[who].meeting == ONE_CAME)
#endif

inline execute(who)
{
	waiters[who].meeting = GOES_ON;
	assert(!isRunning && !goesOn);
	isRunning = 1;
	goesOn = 1
}

active proctype Pool()
{
end:
	do
	:: atomic { CAN_GO_ON(2) -> execute(2) }
	:: atomic { CAN_GO_ON(3) -> execute(3) }
	:: atomic { CAN_GO_ON(4) -> execute(4) }
	:: atomic { CAN_GO_ON(5) -> execute(5) }
	:: atomic { CAN_GO_ON(6) -> execute(6) }
	:: atomic { CAN_GO_ON(7) -> execute(7) }
	od
}

#define WAITS_FOR_ROOM(at) (budgets[at].first != 0 && !HAS_ROOM_FOR(at, BYTES(waiters[budgets[at].first].request)))
#define WAITS(request) (waiterOf[request] != 0 && waiters[waiterOf[request]].state == IN_LINE && !isEnded[request] && WAITS_FOR_ROOM(waiters[waiterOf[request]].budget))

init {
	atomic {
		limits[SCOPE] = 1;
		limits[ALLOCATOR] = 2;
		budgets[ALLOCATOR].charged = 1;
		held[ALLOCATOR] = 1;
		if
		:: true -> budgets[SCOPE].charged = 1; held[SCOPE] = 1
		:: true
		fi;
		isRunning = 1;
		run Request(AWAITED);
		run Request(BLOCKED);
		run Holder(held[SCOPE]);
#ifdef CANCEL
		if
		:: run Cancel()
		:: true
		fi;
#endif
#ifdef STEP_BACK
		if
		:: run StepBack()
		:: true
		fi;
#endif
#ifdef DISPOSE
		if
		:: run Dispose()
		:: true
		fi;
#endif
#ifdef END_SCOPE
		if
		:: run EndScope()
		:: true
		fi;
#endif
	}

	/* When nothing else can go on. What a request keeps while it waits further out is charged, too. */
	timeout;
	assert(isOver[AWAITED] || WAITS(AWAITED));
	assert(isOver[BLOCKED] || WAITS(BLOCKED));
	assert(!isClosed || (isOver[AWAITED] && isOver[BLOCKED]));
	assert(!hasCome || isOver[AWAITED]);
	assert(budgets[ALLOCATOR].charged == held[ALLOCATOR]);
	assert(budgets[SCOPE].charged == held[SCOPE] + (!isOver[AWAITED] && waiters[waiterOf[AWAITED]].budget == ALLOCATOR -> 1 : 0))
}
